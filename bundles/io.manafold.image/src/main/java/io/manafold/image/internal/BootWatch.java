package io.manafold.image.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.doctor.Finding;
import io.manafold.api.doctor.Sighting;
import io.manafold.api.doctor.Survey.Answer;
import io.manafold.api.doctor.Survey.Verdict;
import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.Lease;
import io.manafold.api.inet.Ping;
import io.manafold.api.inet.PingPlan;
import io.manafold.api.inet.PingSummary;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Waits for what a booted image does with its function, and writes down what was seen from the device's side. */
final class BootWatch {
    private static final String DRIVER = "driver";
    private static final String PORT = "port";
    private static final String ADDRESS = "address";
    private static final String PING = "ping";
    private static final String SERVICING = "servicing";
    private static final String RESET = "function reset";
    private static final String REVOCATION = "revocation";
    /** As long as all may take: a system that starts is waited for until a user could log in. */
    private static final Duration LONG = Duration.ofHours(2);
    private static final Duration ADDRESS_PATIENCE = Duration.ofSeconds(120);
    /** How long a system without its function is looked at. */
    private static final Duration REVOKED = Duration.ofSeconds(10);
    private static final Duration RESET_PATIENCE = Duration.ofSeconds(60);
    private static final Duration RETURN_PATIENCE = Duration.ofSeconds(180);
    /** How long a driver may take once a user could log in: modules are loaded long before. */
    private static final Duration AFTER_PROMPT = Duration.ofSeconds(30);
    private static final Duration TELL = Duration.ofSeconds(15);
    private static final long GLANCE_MILLIS = 100;
    private static final int PINGS = 10;
    private static final int CONSOLE = 20;

    private final BootNetwork network;
    private final BootMachine machine;
    private final Consumer<String> progress;
    private final long begin = System.nanoTime();
    private final long end;
    /** When a user could log in first; 0 before. */
    private long up;
    private final List<Sighting.Step> steps = new ArrayList<>();

    BootWatch(BootNetwork network, BootMachine machine, Duration limit, Consumer<String> progress) {
        this.network = network;
        this.machine = machine;
        this.progress = progress;
        end = begin + limit.toNanos();
    }

    Sighting watch() throws InterruptedException {
        Adapter adapter = network.adapter();
        if (driver(adapter) && port(adapter) && address(adapter) != null && pinged(PING, adapter)) {
            servicing(adapter);
            revoked(adapter);
        }
        return new Sighting(List.copyOf(steps), List.of(alone(), serviced()), machine.console(CONSOLE));
    }

    private long seconds() {
        return (System.nanoTime() - begin) / 1_000_000_000L;
    }

    private boolean step(String name, Answer answer, String what) {
        steps.add(new Sighting.Step(name, answer, what, seconds()));
        progress.accept(name + ": " + answer.name().toLowerCase(Locale.ROOT).replace('_', ' ') + ", " + what);
        return answer == Answer.YES;
    }

    /** Waits, telling now and then; false if the time is over, the machine has ended, or it is useless. */
    private boolean await(String what, Duration most, BooleanSupplier isSeen, BooleanSupplier isUseless)
            throws InterruptedException {
        long until = Math.min(end, System.nanoTime() + most.toNanos());
        long tell = System.nanoTime() + TELL.toNanos();
        while (!isSeen.getAsBoolean()) {
            if (System.nanoTime() - until > 0 || !machine.isAlive() || isUseless.getAsBoolean()) {
                return isSeen.getAsBoolean();
            }
            if (System.nanoTime() - tell > 0) {
                tell = System.nanoTime() + TELL.toNanos();
                List<String> last = machine.console(1);
                progress.accept(seconds() + " s, waiting for " + what + "; the console: "
                        + (last.isEmpty() ? "nothing yet" : last.getFirst()));
            }
            Thread.sleep(GLANCE_MILLIS);
        }
        return true;
    }

    private static boolean isDriven(Adapter adapter) {
        return adapter.state().equals("running");
    }

    /** Whether a user could have logged in for a while: what has not come until then does not come. */
    private boolean isSettled() {
        if (up == 0 && machine.isUp()) {
            up = System.nanoTime();
        }
        return up != 0 && System.nanoTime() - up > AFTER_PROMPT.toNanos();
    }

    private boolean driver(Adapter adapter) throws InterruptedException {
        boolean seen = await("a driver", LONG, () -> isDriven(adapter), this::isSettled);
        if (seen) {
            return step(DRIVER, Answer.YES, "a driver has taken the function: "
                    + adapter.driverSystem().orElse("of a system that it does not name"));
        }
        if (!machine.isAlive()) {
            String why = machine.complaint();
            return step(DRIVER, Answer.NOT_SHOWN, "the machine has ended before its system was up"
                    + (why.isEmpty() ? "" : ": " + why));
        }
        return machine.isUp() ? step(DRIVER, Answer.NO, "the system is up, and no driver has spoken with the function")
                : step(DRIVER, Answer.NOT_SHOWN, "the system was not up when the time was over");
    }

    private boolean port(Adapter adapter) throws InterruptedException {
        if (await("its port", LONG, () -> adapter.ports().getFirst().open(), this::isSettled)) {
            return step(PORT, Answer.YES, "port " + adapter.ports().getFirst().mac() + " is set up with "
                    + adapter.ports().getFirst().queues().size() + " queues");
        }
        if (!machine.isAlive()) {
            return step(PORT, Answer.NOT_SHOWN, "the machine has ended before its port was set up");
        }
        return step(PORT, Answer.NO, "nothing has set up its port: no network configuration names it");
    }

    private Optional<Lease> lease(Adapter adapter) {
        MacAddress mac = adapter.ports().getFirst().mac();
        return network.host().leases().stream().filter(one -> one.mac().equals(mac)).findFirst();
    }

    /** Where it answers: the address that it was given, or the one of its link. */
    private IpAddress address(Adapter adapter) throws InterruptedException {
        await("an address", ADDRESS_PATIENCE, () -> lease(adapter).isPresent(), () -> false);
        Optional<Lease> lease = lease(adapter);
        if (lease.isPresent()) {
            step(ADDRESS, Answer.YES, "it was given " + lease.get().address() + " by DHCP"
                    + (lease.get().hostName().isEmpty() ? "" : " as " + lease.get().hostName()));
        } else {
            step(ADDRESS, Answer.NOT_SHOWN, "it has asked for no address by DHCP; " + linkLocal(adapter)
                    + ", which follows from its MAC address, is tried");
        }
        return target(adapter);
    }

    private IpAddress target(Adapter adapter) {
        return lease(adapter).map(Lease::address).orElseGet(() -> linkLocal(adapter));
    }

    private static IpAddress linkLocal(Adapter adapter) {
        long mac = adapter.ports().getFirst().mac().value();
        return IpAddress.ipv6(0xfe80L << 48, (mac >>> 24 ^ 0x02_0000) << 40 | 0xff_fe00_0000L | mac & 0xff_ffff);
    }

    /** An answer to one of some pings. */
    private boolean pinged(String name, Adapter adapter) throws InterruptedException {
        IpAddress target = target(adapter);
        PingSummary summary = null;
        for (int i = 0; i < PINGS && machine.isAlive() && System.nanoTime() - end < 0; i++) {
            // the address may be taken a moment after it was given
            try (Ping ping = network.host().ping(new PingPlan(target, null, 1, 1_000_000L, 2_000_000_000L, 56, 64))) {
                while (ping.next() != null) {
                    continue;
                }
                summary = ping.summary();
            } catch (Refusal away) {
                Thread.sleep(GLANCE_MILLIS);
                continue;
            }
            if (summary.received() > 0) {
                return name.equals(SERVICING) || step(name, Answer.YES, "%s answers after %.1f ms".formatted(target,
                        summary.averageNanos() / 1e6));
            }
        }
        return step(name, machine.isAlive() ? Answer.NO : Answer.NOT_SHOWN, target + " does not answer"
                + (machine.isAlive() ? "" : ": the machine has ended"));
    }

    /**
     * Has the driver reset its function as the hardware does for servicing. QEMU connects to a function once, so one
     * that was revoked does not come back to the same machine.
     */
    private boolean servicing(Adapter adapter) throws InterruptedException {
        progress.accept("the driver is told to reset its function");
        long before = System.nanoTime();
        adapter.requestReset(Adapter.ResetKind.RESET);
        if (!await("the reset", RESET_PATIENCE, () -> !isDriven(adapter), () -> false)) {
            return step(SERVICING, Answer.NOT_SHOWN, "the driver was told to reset its function, and has not: not each "
                    + "one knows of that");
        }
        if (!await("a driver again", RETURN_PATIENCE, () -> isDriven(adapter), () -> false)) {
            return step(SERVICING, Answer.NO, "the function was reset, and no driver has taken it again");
        }
        if (!await("its port again", RETURN_PATIENCE, () -> adapter.ports().getFirst().open(), () -> false)) {
            return step(SERVICING, Answer.NO, "the function was reset, and nothing has set up its port again");
        }
        double seconds = (System.nanoTime() - before) / 1e9;
        return pinged(SERVICING, adapter) && step(SERVICING, Answer.YES, "the function was reset; its port was set up "
                + "%.1f s later, and %s answers again".formatted(seconds, target(adapter)));
    }

    /** Takes the function away for good: the system has to live on without it. */
    private boolean revoked(Adapter adapter) throws InterruptedException {
        progress.accept("the function is revoked");
        adapter.revoke();
        try {
            await("what the system does without it", REVOKED, () -> false, () -> false);
            boolean alive = machine.isAlive();
            return step(REVOCATION, alive ? Answer.YES : Answer.NO, "the function was revoked, and the "
                    + (alive ? "system lives on without it" : "machine has ended"));
        } finally {
            adapter.restore();
        }
    }

    private Optional<Sighting.Step> step(String name) {
        return steps.stream().filter(one -> one.name().equals(name)).reduce((_, last) -> last);
    }

    /** That its function works: what decides is the ping; a driver or port that was missing is a no as well. */
    private Verdict alone() {
        Sighting.Step decides = step(PING).orElseGet(() -> steps.stream().filter(one -> one.answer() != Answer.YES)
                .findFirst().orElseThrow());
        return new Verdict("function alone", decides.answer(), decides.what(), List.<Finding.Line>of());
    }

    /** What the files say of servicing is about pairs: this has a name of its own. */
    private Verdict serviced() {
        return step(SERVICING).map(one -> new Verdict(RESET, one.answer(), one.what(), List.<Finding.Line>of()))
                .orElse(new Verdict(RESET, Answer.NOT_SHOWN, "it was not tried", List.of()));
    }
}
