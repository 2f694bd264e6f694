package io.manafold.bus.internal;

import io.manafold.api.device.Binding;
import io.manafold.api.device.DeviceEvent.Kind;
import io.manafold.api.device.EventLog;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has drivers stop their devices for now and go on with them, as an administrator asks. It is no state that a device is
 * wanted to have, as a driver is: another driver of it knows nothing of it. Confined to the loop.
 */
final class Suspensions {
    private static final Logger LOG = LoggerFactory.getLogger(Suspensions.class);

    private final Loop loop;
    private final Calls calls;
    private final EventLog events;
    private final Consumer<DeviceNode> ended;

    /** @param ended is told of a device after a call for it */
    Suspensions(Loop loop, Calls calls, EventLog events, Consumer<DeviceNode> ended) {
        this.loop = loop;
        this.calls = calls;
        this.events = events;
        this.ended = ended;
    }

    /** @param done completed when the driver has done it */
    void ask(DeviceNode device, boolean suspend, Duration limit, CompletableFuture<Void> done) {
        Refusal refused = refusal(device, suspend);
        if (refused != null) {
            loop.afterStep(() -> done.completeExceptionally(refused));
            return;
        }
        DriverNode driver = device.bound;
        Binding binding = device.binding;
        String what = suspend ? "suspend" : "resume";
        long begin = System.nanoTime();
        device.calling = true;
        calls.<Void>start(List.of(device.reference, driver.reference), what + " " + driver.label() + " " + device.id,
                limit, () -> {
                    if (suspend) {
                        binding.suspend();
                    } else {
                        binding.resume();
                    }
                    return null;
                }, nothing -> { }, outcome -> {
                    device.calling = false;
                    Refusal failed = failure(device, driver, what, limit, outcome);
                    if (failed == null) {
                        device.suspended = suspend;
                        tell(device, driver, System.nanoTime() - begin);
                        loop.afterStep(() -> done.complete(null));
                    } else {
                        loop.afterStep(() -> done.completeExceptionally(failed));
                    }
                    ended.accept(device);
                });
    }

    private static Refusal refusal(DeviceNode device, boolean suspend) {
        if (device.calling || device.closing || device.leaving) {
            return new Refusal(Errno.EBUSY, "another driver is just coming to " + device.id + " or its own is leaving; "
                    + "ask again when that is over");
        }
        if (device.bound == null) {
            return new Refusal(Errno.ENODEV, device.id + " has no driver that could " + (suspend ? "suspend" : "resume")
                    + " it; 'bind " + device.id + "' gives it one");
        }
        if (device.suspended == suspend) {
            return suspend ? new Refusal(Errno.EBUSY, device.id + " is suspended already; resume it first")
                    : new Refusal(Errno.EINVAL, device.id + " is not suspended, so that it cannot be resumed; suspend "
                            + "it first");
        }
        return null;
    }

    /** Why it has not come about, or {@code null}. */
    private Refusal failure(DeviceNode device, DriverNode driver, String what, Duration limit,
            Calls.Outcome<Void> outcome) {
        return switch (outcome) {
            case Calls.Outcome.Returned<Void> _ -> null;
            case Calls.Outcome.Threw<Void>(Refusal refusal) -> new Refusal(refusal.errno(), driver.label()
                    + " does not " + what + " " + device.id + ": " + refusal.getMessage(), refusal);
            case Calls.Outcome.Threw<Void>(Throwable cause) -> {
                LOG.warn("{} of {} by {}", what, device.id, driver.label(), cause);
                yield new Refusal(Errno.EIO, driver.label() + " does not " + what + " " + device.id + ": "
                        + Reasons.of(cause), cause);
            }
            case Calls.Outcome.Overdue<Void>(String thread) -> {
                String sentence = driver.label() + " did not return from " + what + " of " + device.id + " within "
                        + Reasons.seconds(limit) + "; thread '" + thread + "' is left to itself; unbind " + device.id
                        + " and bind it again";
                events.post(Kind.STUCK, device.id, driver.label(), sentence);
                yield new Refusal(Errno.ETIMEDOUT, sentence);
            }
        };
    }

    private void tell(DeviceNode device, DriverNode driver, long nanos) {
        String after = " after " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
        if (device.suspended) {
            events.post(Kind.SUSPENDED, device.id, driver.label(), device.id + " is suspended" + after
                    + "; what was set and counted is kept");
        } else {
            events.post(Kind.RESUMED, device.id, driver.label(), device.id + " is resumed" + after);
        }
    }
}
