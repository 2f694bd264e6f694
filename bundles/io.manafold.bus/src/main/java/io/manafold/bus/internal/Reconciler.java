package io.manafold.bus.internal;

import io.manafold.api.device.Binding;
import io.manafold.api.device.Device;
import io.manafold.api.device.DeviceEvent.Kind;
import io.manafold.api.device.DeviceState;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.EventLog;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.Removal;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds what each device should have against what it has and takes the next step towards it: one call into a driver at
 * a time per device, its end the occasion to look again. No event has a special case; whatever changes, the device is
 * looked at. Confined to the loop.
 */
final class Reconciler {
    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

    private final Loop loop;
    private final DeviceRegistry registry;
    private final Calls calls;
    private final EventLog events;
    private final Duration probeLimit;
    private final Duration removeLimit;
    private final Orders orders;
    private final Suspensions suspensions;
    private final LossCounters losses;
    private final LinkedHashSet<DeviceNode> toLookAt = new LinkedHashSet<>();
    /** Counts what may end a deferral: devices, drivers, and devices that got bound. */
    private long arrivals;
    private boolean ending;

    Reconciler(Loop loop, DeviceRegistry registry, Calls calls, EventLog events, LossCounters losses,
            Duration probeLimit, Duration removeLimit) {
        this.losses = losses;
        this.loop = loop;
        this.registry = registry;
        this.calls = calls;
        this.events = events;
        this.probeLimit = probeLimit;
        this.removeLimit = removeLimit;
        this.orders = new Orders(loop, registry, events);
        this.suspensions = new Suspensions(loop, calls, events, this::called);
    }

    // ---- what happens to us; each ends with settle()

    void deviceArrived(DeviceNode device) {
        arrivals++;
        DeviceNode parent = device.parent == null ? null : registry.device(device.parent);
        if (parent != null) {
            // what a driver offers while it probes is no news to it: it would be asked again without end
            parent.asOf++;
            parent.deferredAt++;
        }
        events.post(Kind.DEVICE_ARRIVED, device.id, null, device.id + " has arrived");
        lookAtDeferred();
        registry.children(device).forEach(toLookAt::add);
        toLookAt.add(device);
        settle();
    }

    void deviceLeaves(DeviceNode device) {
        device.leaving = true;
        toLookAt.add(device);
        settle();
    }

    void driverArrived(DriverNode driver) {
        arrivals++;
        events.post(Kind.DRIVER_ARRIVED, null, driver.label(), "driver " + driver.label() + " has arrived");
        toLookAt.addAll(registry.devices());
        settle();
    }

    void driverLeaves(DriverNode driver) {
        driver.leaving = true;
        // its own must be left; others may have named it as a rival
        toLookAt.addAll(registry.devices());
        for (DeviceNode device : registry.devices()) {
            device.refused.remove(driver.serviceId);
            if (device.deferredBy == driver.serviceId) {
                device.forgetDeferral();
            }
        }
        settle();
        driverMayBeGone(driver);
    }

    void order(DeviceNode device, Order order) {
        device.orders.add(order);
        toLookAt.add(device);
        settle();
    }

    void suspend(DeviceNode device, CompletableFuture<Void> done) {
        suspensions.ask(device, true, removeLimit, done);
    }

    void resume(DeviceNode device, CompletableFuture<Void> done) {
        suspensions.ask(device, false, probeLimit, done);
    }

    private void called(DeviceNode device) {
        toLookAt.add(device);
        settle();
    }

    void expect(String id, DriverChoice driver) {
        registry.expect(id, driver);
        DeviceNode device = registry.device(id);
        if (device != null) {
            toLookAt.add(device);
            settle();
        }
    }

    /** Removes every driver, children first. */
    void end() {
        ending = true;
        toLookAt.addAll(registry.devices());
        settle();
    }

    // ---- looking

    private void settle() {
        while (!toLookAt.isEmpty()) {
            DeviceNode device = toLookAt.removeFirst();
            try {
                look(device);
            } catch (RuntimeException | Error mistake) {
                // the other devices are looked at all the same, and a driver that waits for them can leave
                LOG.error("the driver core could not look at {}", device.id, mistake);
            }
        }
    }

    private void look(DeviceNode device) {
        if (device.calling) {
            return;
        }
        DriverNode wanted = wanted(device);
        if (device.bound == wanted) {
            reopen(device);
            rest(device);
        } else if (device.bound == null) {
            probe(device, wanted);
        } else {
            close(device);
        }
    }

    private DriverNode wanted(DeviceNode device) {
        AdminState admin = registry.admin(device.id);
        boolean mayBeDriven = !ending && !device.leaving && !admin.unbound() && parentIsThere(device);
        boolean patient = device.deferredBy >= 0 && device.deferredAt == arrivals;
        return mayBeDriven && !patient ? Choosing.best(device, registry.drivers(), registry.only(device.id)) : null;
    }

    private boolean parentIsThere(DeviceNode device) {
        if (device.parent == null) {
            return true;
        }
        DeviceNode parent = registry.device(device.parent);
        return parent != null && parent.bound != null && !parent.closing && !parent.leaving;
    }

    private void reopen(DeviceNode device) {
        if (device.closing) {
            device.closing = false;
            toLookAt.addAll(registry.children(device));
        }
    }

    /** The driver must go, but children first: each that comes to rest has its parent looked at again. */
    private void close(DeviceNode device) {
        device.closing = true;
        List<DeviceNode> busy = registry.children(device).stream().filter(child -> !child.atRest()).toList();
        if (busy.isEmpty()) {
            remove(device);
        } else {
            toLookAt.addAll(busy);
        }
    }

    private void rest(DeviceNode device) {
        Reasons.describe(device, registry);
        if (device.bound == null) {
            DeviceNode parent = device.parent == null ? null : registry.device(device.parent);
            if (parent != null && parent.closing) {
                toLookAt.add(parent);
            }
            if (device.leaving) {
                depart(device);
                return;
            }
        }
        if (orders.advance(device)) {
            toLookAt.add(device);
        }
    }

    private void lookAtDeferred() {
        registry.devices().stream().filter(device -> device.deferredBy >= 0).forEach(toLookAt::add);
    }

    private void depart(DeviceNode device) {
        orders.abandon(device);
        events.post(Kind.DEVICE_GONE, device.id, null, device.id + " is gone");
        DeviceNode successor = registry.drop(device);
        device.departure.forEach(loop::afterStep);
        toLookAt.addAll(registry.children(device));
        if (successor != null) {
            deviceArrived(successor);
        }
    }

    private void driverMayBeGone(DriverNode driver) {
        if (driver.leaving && !driver.introducing && driver.devices.isEmpty() && registry.drop(driver)) {
            if (driver.name != null) {
                events.post(Kind.DRIVER_GONE, null, driver.label(), "driver " + driver.label() + " is gone");
            }
            driver.departure.forEach(loop::afterStep);
        }
    }

    void introductionEnded(DriverNode driver) {
        driver.introducing = false;
        driverMayBeGone(driver);
    }

    // ---- calling drivers

    private void probe(DeviceNode device, DriverNode driver) {
        device.state = DeviceState.PROBING;
        device.calling = true;
        driver.devices.add(device);
        DeviceProbe probe = new DeviceProbe(device.device);
        // what arrives from here on the driver may have looked for in vain
        device.asOf = arrivals;
        AtomicReference<OptionalLong> lost = new AtomicReference<>(OptionalLong.empty());
        calls.<Binding>start(about(device, driver), "probe " + driver.label() + " " + device.id, probeLimit,
                () -> {
                    Binding binding = driver.driver.probe(probe);
                    lost.set(lost(device));
                    return binding;
                }, late -> undo(device.device, late), outcome -> probed(device, driver, outcome, lost.get()));
    }

    private OptionalLong lost(DeviceNode device) {
        return device.device instanceof PciFunction ? losses.of(device.id) : OptionalLong.empty();
    }

    /** Of a function that was reset meanwhile, and that another driver may have. */
    private static void undo(Device device, Binding late) {
        try {
            late.remove(device instanceof PciFunction ? Removal.DEVICE_GONE : Removal.UNBIND);
        } catch (Exception thrown) {
            throw new IllegalStateException("removal after a probe that came too late", thrown);
        }
    }

    private void probed(DeviceNode device, DriverNode driver, Calls.Outcome<Binding> outcome, OptionalLong lost) {
        device.calling = false;
        switch (outcome) {
            case Calls.Outcome.Returned<Binding>(Binding binding) when binding != null ->
                    bound(device, driver, binding, lost);
            case Calls.Outcome.Returned<Binding> nothing ->
                    declined(device, driver, "its probe returned no binding, which a driver must");
            case Calls.Outcome.Threw<Binding>(Deferral deferral) when !predecessorCanReturn(device, driver) ->
                    deferred(device, driver, deferral);
            case Calls.Outcome.Threw<Binding>(Throwable cause) -> {
                if (!(cause instanceof Refusal)) {
                    LOG.warn("probe of {} by {}", device.id, driver.label(), cause);
                }
                declined(device, driver, Reasons.of(cause));
            }
            case Calls.Outcome.Overdue<Binding>(String thread) -> {
                driver.devices.remove(device);
                String sentence = "it did not return from probe within " + Reasons.seconds(probeLimit)
                        + "; thread '" + thread + "' is left to itself";
                declined(device, driver, sentence);
                events.post(Kind.STUCK, device.id, driver.label(), driver.label() + " on " + device.id + ": "
                        + sentence);
                reset(device);
            }
        }
        toLookAt.add(device);
        settle();
        driverMayBeGone(driver);
    }

    /** Whether the device is better off with the driver that made room for this one than waiting. */
    private boolean predecessorCanReturn(DeviceNode device, DriverNode driver) {
        return device.predecessor != null && device.predecessorId != driver.serviceId
                && !device.refused.containsKey(device.predecessorId)
                && registry.drivers().stream().anyMatch(other -> other.serviceId == device.predecessorId
                        && other.usable());
    }

    private void bound(DeviceNode device, DriverNode driver, Binding binding, OptionalLong lost) {
        device.bound = driver;
        device.binding = binding;
        device.state = DeviceState.BOUND;
        device.closing = false;
        device.forgetDeferral();
        arrivals++;
        tellBound(device, driver, lost);
        device.predecessor = null;
        device.account = ReplacementReport.NONE;
        Reasons.describe(device, registry);
        lookAtDeferred();
        toLookAt.addAll(registry.children(device));
    }

    private void tellBound(DeviceNode device, DriverNode driver, OptionalLong lost) {
        if (device.predecessor == null) {
            events.post(Kind.BOUND, device.id, driver.label(), device.id + " is bound to " + driver.label());
            return;
        }
        Map<String, Number> figures = device.account.figures(System.nanoTime() - device.removalBegan, lost);
        if (device.predecessorId == driver.serviceId) {
            events.post(Kind.ROLLED_BACK, device.id, driver.label(),
                    device.id + " is back with " + driver.label() + ": " + ReplacementReport.words(figures), figures);
        } else {
            events.post(Kind.SWAPPED, device.id, driver.label(), device.id + " went from " + device.predecessor + " to "
                    + driver.label() + ": " + ReplacementReport.words(figures), figures);
        }
    }

    private void declined(DeviceNode device, DriverNode driver, String why) {
        driver.devices.remove(device);
        device.state = DeviceState.FAILED;
        if (!driver.leaving) {
            device.refused.put(driver.serviceId, driver.label() + " refused it: " + why);
        }
        device.reason = driver.label() + " refused it: " + why;
        events.post(Kind.PROBE_FAILED, device.id, driver.label(), device.id + ": " + device.reason);
    }

    private void deferred(DeviceNode device, DriverNode driver, Deferral deferral) {
        driver.devices.remove(device);
        device.state = DeviceState.DEFERRED;
        // the driver that has it in the end takes it over from no other
        device.predecessor = null;
        device.account = ReplacementReport.NONE;
        device.deferredBy = driver.serviceId;
        device.deferredAt = device.asOf;
        device.waitsFor = deferral.waitsFor();
        device.deferral = driver.label() + " waits: " + deferral.getMessage();
        Reasons.describe(device, registry);
        lookAtDeferred();
        events.post(Kind.DEFERRED, device.id, driver.label(), device.id + ": " + device.reason);
    }

    private void remove(DeviceNode device) {
        DriverNode driver = device.bound;
        Removal why = why(device, driver);
        device.state = DeviceState.REMOVING;
        device.calling = true;
        device.removalBegan = System.nanoTime();
        Binding binding = device.binding;
        device.account = ReplacementReport.NONE;
        calls.<ReplacementReport>start(about(device, driver), "remove " + driver.label() + " " + device.id, removeLimit,
                () -> {
                    OptionalLong before = lost(device);
                    binding.remove(why);
                    return new ReplacementReport(before, binding.buffersOut());
                }, late -> { }, outcome -> removed(device, driver, outcome));
    }

    private Removal why(DeviceNode device, DriverNode driver) {
        for (DeviceNode at = device; at != null; at = at.parent == null ? null : registry.device(at.parent)) {
            if (at.leaving) {
                return Removal.DEVICE_GONE;
            }
        }
        return driver.leaving ? Removal.DRIVER_GONE : Removal.UNBIND;
    }

    private void removed(DeviceNode device, DriverNode driver, Calls.Outcome<ReplacementReport> outcome) {
        device.calling = false;
        device.bound = null;
        device.binding = null;
        device.closing = false;
        device.suspended = false;
        device.state = DeviceState.FREE;
        driver.devices.remove(device);
        boolean makesRoom = !ending && !device.leaving && !registry.admin(device.id).unbound() && parentIsThere(device);
        device.predecessor = makesRoom ? driver.label() : null;
        device.predecessorId = driver.serviceId;
        switch (outcome) {
            case Calls.Outcome.Returned<ReplacementReport>(ReplacementReport account) -> {
                device.account = account;
                events.post(Kind.UNBOUND, device.id, driver.label(), driver.label() + " has left " + device.id);
            }
            case Calls.Outcome.Threw<ReplacementReport>(Throwable cause) -> {
                LOG.warn("removal of {} from {}", driver.label(), device.id, cause);
                events.post(Kind.UNBOUND, device.id, driver.label(), driver.label() + " has left " + device.id
                        + " in disorder (" + Reasons.of(cause) + "); the function is reset");
                reset(device);
            }
            case Calls.Outcome.Overdue<ReplacementReport>(String thread) -> {
                events.post(Kind.STUCK, device.id, driver.label(), driver.label()
                        + " did not return from remove of " + device.id + " within " + Reasons.seconds(removeLimit)
                        + "; the function is reset; thread '" + thread + "' and its class loader stay");
                reset(device);
            }
        }
        toLookAt.add(device);
        settle();
        driverMayBeGone(driver);
    }

    /** Makes sure that nothing of a driver that did not leave in order goes on in the hardware. */
    private void reset(DeviceNode device) {
        if (device.device instanceof PciFunction function && !device.leaving) {
            device.calling = true;
            calls.<Void>start(about(device, null), "reset " + device.id, removeLimit, () -> {
                function.reset();
                return null;
            }, nothing -> { }, outcome -> {
                device.calling = false;
                if (!(outcome instanceof Calls.Outcome.Returned<Void>)) {
                    events.post(Kind.STUCK, device.id, null, device.id + " could not be reset");
                }
                toLookAt.add(device);
                settle();
            });
        }
    }

    private static List<ServiceReference<?>> about(DeviceNode device, DriverNode driver) {
        return driver == null ? List.of(device.reference) : List.of(device.reference, driver.reference);
    }
}
