package io.manafold.image.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.Adapter.DriverFeature;
import io.manafold.api.doctor.Survey.Answer;
import java.time.Duration;
import java.util.Locale;

/**
 * What is done to the function of a system that answers, as a host does it for servicing. QEMU connects to a function
 * once, so that one that was revoked does not come back to the same machine: a reset and a link that goes and comes
 * are what can be seen to pass.
 */
final class BootServicing {
    static final String RESET = "servicing";
    private static final String LINK = "link";
    private static final String REVOCATION = "revocation";
    private static final Duration RESET_PATIENCE = Duration.ofSeconds(60);
    private static final Duration RETURN_PATIENCE = Duration.ofSeconds(180);
    /** How long its port has no link: long enough for a network manager to take note. */
    private static final Duration UNPLUGGED = Duration.ofSeconds(5);
    /** How long a system without its function is looked at. */
    private static final Duration REVOKED = Duration.ofSeconds(10);
    /** Each waits for two seconds: an address may be asked for anew. */
    private static final int PINGS = 30;

    private final BootNetwork network;
    private final BootedSystem machine;
    private final BootSteps steps;
    private final Adapter adapter;
    private final BootTarget target;

    BootServicing(BootNetwork network, BootedSystem machine, BootSteps steps, Adapter adapter, BootTarget target) {
        this.network = network;
        this.machine = machine;
        this.steps = steps;
        this.adapter = adapter;
        this.target = target;
    }

    /** All of it, as far as the system lives through it. */
    void run() throws InterruptedException {
        if (reset() != Answer.NO) {
            link();
        }
        revoke();
    }

    static boolean isDriven(Adapter adapter) {
        return adapter.state().equals("running");
    }

    private boolean isOpen() {
        return adapter.ports().getFirst().open();
    }

    /** Has the driver reset its function, if it is one that does so when it is asked. */
    private Answer reset() throws InterruptedException {
        if (!adapter.driverFeatures().contains(DriverFeature.SELF_RESET)) {
            return said(RESET, Answer.NOT_SHOWN, "the driver has not said in its handshake that it resets its function "
                    + "when it is asked to (Linux's does from 6.17 on): a host takes the function away from it and "
                    + "gives it back, which QEMU cannot do");
        }
        if (!steps.isOn()) {
            return said(RESET, Answer.NOT_SHOWN, steps.whyNotOn() + " before the driver was asked to reset its "
                    + "function");
        }
        steps.tell("the driver is asked to reset its function");
        long before = System.nanoTime();
        adapter.requestReset(Adapter.ResetKind.RESET);
        if (!steps.await("the reset", RESET_PATIENCE, () -> !isDriven(adapter))) {
            return missing(RESET, "the driver says that it resets its function when it is asked to, was asked, and has "
                    + "not");
        }
        if (!steps.await("a driver again", RETURN_PATIENCE, () -> isDriven(adapter))) {
            return missing(RESET, "the function was reset, and no driver has taken it again");
        }
        if (!steps.await("its port again", RETURN_PATIENCE, this::isOpen)) {
            return missing(RESET, "the function was reset, and nothing has set up its port again");
        }
        double seconds = (System.nanoTime() - before) / 1e9;
        return answers(RESET, String.format(Locale.ROOT, "the function was reset; its port was set up %.1f s later",
                seconds));
    }

    /** Whatever the driver takes note of, what is behind a link that went has to be there when it is back. */
    private Answer link() throws InterruptedException {
        if (!steps.isOn()) {
            return said(LINK, Answer.NOT_SHOWN, steps.whyNotOn() + " before the link was taken away");
        }
        steps.tell("the port's link goes");
        long before = System.nanoTime();
        network.unplug();
        steps.await("what the system does without its link", UNPLUGGED, () -> false);
        network.plug();
        double seconds = (System.nanoTime() - before) / 1e9;
        boolean told = adapter.driverFeatures().contains(DriverFeature.LINK_EVENTS);
        return answers(LINK, String.format(Locale.ROOT, "the port had no link for %.1f s, which the driver is %s",
                seconds, told ? "told of" : "not told of: it has not said in its handshake that it takes note"));
    }

    private Answer answers(String name, String what) throws InterruptedException {
        if (target.ping(steps, PINGS).isPresent()) {
            return said(name, Answer.YES, what + ", and " + target.address() + " answers again");
        }
        return missing(name, what + ", and " + target.address() + " does not answer since");
    }

    /**
     * What was waited for and has not come: a no, if there was time to wait. A machine that has ended after something
     * was done to its function, as one whose system panics, has not lived through it, which is a no as well.
     */
    private Answer missing(String name, String what) {
        if (steps.isOn()) {
            return said(name, Answer.NO, what);
        }
        boolean alive = machine.isAlive();
        return said(name, alive ? Answer.NOT_SHOWN : Answer.NO, what + ": " + steps.whyNotOn());
    }

    /** Takes the function away for good: the system has to live on without it. */
    private void revoke() throws InterruptedException {
        if (!steps.isOn()) {
            said(REVOCATION, Answer.NOT_SHOWN, steps.whyNotOn() + " before the function was revoked");
            return;
        }
        steps.tell("the function is revoked");
        adapter.revoke();
        try {
            steps.await("what the system does without it", REVOKED, () -> false);
            String what = "the function was revoked, and the ";
            if (!machine.isAlive()) {
                said(REVOCATION, Answer.NO, what + "machine has ended");
            } else if (steps.isOn()) {
                said(REVOCATION, Answer.YES, what + "system lives on without it");
            } else {
                said(REVOCATION, Answer.NOT_SHOWN, what + "time was over before the system had shown that it lives on");
            }
        } finally {
            adapter.restore();
        }
    }

    private Answer said(String name, Answer answer, String what) {
        steps.add(name, answer, what);
        return answer;
    }
}
