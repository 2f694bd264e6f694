package io.manafold.fabric.internal;

import io.manafold.api.fabric.LinkStatus.PortStatus;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A place on a link that one port plugs into; it lives as long as the link. */
final class Jack {
    final String name;
    final int place;
    /** Whose place it is, from the moment of being plugged in until everything of it has ended. */
    final AtomicReference<Connection> claim = new AtomicReference<>();
    final Counter txFrames = new Counter();
    final Counter txBytes = new Counter();
    final Counter rxFrames = new Counter();
    final Counter rxBytes = new Counter();
    /** How often a port was thrown out. */
    final Counter mistakes = new Counter();
    /** Whose the place beside the port is, in the same way. */
    final AtomicReference<Connection> companionClaim = new AtomicReference<>();
    /** The port that is called; belongs to the agent. */
    Connection connection;
    /** What is called beside it; belongs to the agent. */
    Connection companion;
    /** Whether the port gets what is sent to one station though there is a companion. */
    volatile boolean steeredToPort;
    /** How often it was said that the port gets it. */
    final AtomicInteger steerings = new AtomicInteger();
    /** Whose first packets have been here; belongs to the agent, and is there for companions alone. */
    FlowStarts flows;
    /** The agent's dice for frames that enter here. */
    final SeededRandom random = new SeededRandom();
    /** Why the last port was thrown out, or null. */
    volatile String failure;
    /** The same of what was beside it. */
    volatile String companionFailure;

    Jack(String name, int place) {
        this.name = name;
        this.place = place;
    }

    /** Whether there is anything to give frames to. */
    boolean isPlugged() {
        return connection != null || companion != null;
    }

    /** Whether frames go to the port whatever they are: with a companion it depends on each. */
    boolean isSingle() {
        return companion == null;
    }

    /** Who gets a frame, if there is a companion. */
    Connection receiver(boolean toGroup) {
        return connection != null && steeredToPort && !toGroup ? connection : companion;
    }

    PortStatus status() {
        return new PortStatus(name, claim.get() != null && failure == null, txFrames.get(), txBytes.get(),
                rxFrames.get(), rxBytes.get(), mistakes.get());
    }
}
