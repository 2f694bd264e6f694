package io.manafold.image.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.doctor.Finding;
import io.manafold.api.doctor.Sighting;
import io.manafold.api.doctor.Survey.Answer;
import io.manafold.api.doctor.Survey.Verdict;
import io.manafold.api.inet.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/** Waits for what a booted image does with its function, and writes down what was seen from the device's side. */
final class BootWatch {
    private static final String DRIVER = "driver";
    private static final String PORT = "port";
    private static final String ADDRESS = "address";
    private static final String PING = "ping";
    private static final String RESET = "function reset";
    /** As long as all may take: a system that starts is waited for until a user could log in. */
    private static final Duration LONG = Duration.ofHours(2);
    private static final Duration ADDRESS_PATIENCE = Duration.ofSeconds(120);
    /** How long a driver may take once a user could log in: modules are loaded long before. */
    private static final Duration AFTER_PROMPT = Duration.ofSeconds(30);
    private static final int PINGS = 10;
    private static final int CONSOLE = 20;

    private final BootNetwork network;
    private final BootedSystem machine;
    private final BootSteps steps;
    /** When a user could log in first; 0 before. */
    private long up;

    BootWatch(BootNetwork network, BootedSystem machine, Duration limit, Consumer<String> progress) {
        this.network = network;
        this.machine = machine;
        steps = new BootSteps(machine, limit, progress);
    }

    Sighting watch() throws InterruptedException {
        Adapter adapter = network.adapter();
        BootTarget target = new BootTarget(network, adapter);
        if (driver(adapter) && port(adapter) && answers(target)) {
            new BootServicing(network, machine, steps, adapter, target).run();
        }
        return new Sighting(steps.all(), List.of(alone(), serviced()), machine.console(CONSOLE));
    }

    /** Whether a user could have logged in for a while: what has not come until then does not come. */
    private boolean isSettled() {
        if (up == 0 && machine.isUp()) {
            up = System.nanoTime();
        }
        return up != 0 && System.nanoTime() - up > AFTER_PROMPT.toNanos();
    }

    private boolean driver(Adapter adapter) throws InterruptedException {
        boolean seen = steps.await("a driver", LONG, () -> BootServicing.isDriven(adapter), this::isSettled);
        if (seen) {
            return steps.add(DRIVER, Answer.YES, "a driver has taken the function: "
                    + adapter.driverSystem().orElse("of a system that it does not name"));
        }
        if (!machine.isAlive()) {
            String why = machine.complaint();
            return steps.add(DRIVER, Answer.NOT_SHOWN, "the machine has ended before its system was up"
                    + (why.isEmpty() ? "" : ": " + why));
        }
        if (!machine.isUp()) {
            return steps.add(DRIVER, Answer.NOT_SHOWN, "the system was not up when the time was over");
        }
        return steps.isOn() ? steps.add(DRIVER, Answer.NO, "the system is up, and no driver has spoken with the "
                + "function") : steps.add(DRIVER, Answer.NOT_SHOWN, "the system was up, and no driver had spoken with "
                + "the function yet when the time was over");
    }

    private boolean port(Adapter adapter) throws InterruptedException {
        if (steps.await("its port", LONG, () -> adapter.ports().getFirst().open(), this::isSettled)) {
            return steps.add(PORT, Answer.YES, "port " + adapter.ports().getFirst().mac() + " is set up with "
                    + adapter.ports().getFirst().queues().size() + " queues");
        }
        if (!steps.isOn()) {
            return steps.add(PORT, Answer.NOT_SHOWN, steps.whyNotOn() + " before its port was set up");
        }
        return steps.add(PORT, Answer.NO, "nothing has set up its port: no network configuration names it");
    }

    private boolean answers(BootTarget target) throws InterruptedException {
        steps.await("an address", ADDRESS_PATIENCE, () -> target.lease().isPresent());
        Optional<Lease> lease = target.lease();
        if (lease.isPresent()) {
            steps.add(ADDRESS, Answer.YES, "it was given " + lease.get().address() + " by DHCP"
                    + (lease.get().hostName().isEmpty() ? "" : " as " + lease.get().hostName()));
        } else {
            steps.add(ADDRESS, Answer.NOT_SHOWN, "it has asked for no address by DHCP; " + target.linkLocal()
                    + ", which follows from its MAC address, is tried");
        }
        OptionalDouble millis = target.ping(steps, PINGS);
        if (millis.isPresent()) {
            return steps.add(PING, Answer.YES, String.format(Locale.ROOT, "%s answers after %.1f ms", target.address(),
                    millis.getAsDouble()));
        }
        boolean on = steps.isOn();
        return steps.add(PING, on ? Answer.NO : Answer.NOT_SHOWN, target.address() + " does not answer"
                + (on ? "" : ": " + steps.whyNotOn()));
    }

    /** That its function works: what decides is the ping; a driver or port that was missing is a no as well. */
    private Verdict alone() {
        Sighting.Step decides = steps.find(PING).orElseGet(() -> steps.all().stream()
                .filter(one -> one.answer() != Answer.YES).findFirst().orElseThrow());
        return new Verdict("function alone", decides.answer(), decides.what(), List.<Finding.Line>of());
    }

    /** What the files say of servicing is about pairs: this has a name of its own. */
    private Verdict serviced() {
        return steps.find(BootServicing.RESET).map(one -> new Verdict(RESET, one.answer(), one.what(),
                List.<Finding.Line>of())).orElse(new Verdict(RESET, Answer.NOT_SHOWN, "it was not tried", List.of()));
    }
}
