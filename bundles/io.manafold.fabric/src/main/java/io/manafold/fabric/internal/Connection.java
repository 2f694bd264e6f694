package io.manafold.fabric.internal;

import io.manafold.agent.Agent;
import io.manafold.agent.Lane;
import io.manafold.api.fabric.CompanionWire;
import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Plug;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A port or its companion that is plugged into a jack, from plugging in to unplugging. */
final class Connection implements CompanionWire {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    final Jack jack;
    final Plug plug;
    /** What sentences call it. */
    final String name;
    /** Whether it is beside the port instead of being it. */
    final boolean beside;
    final Lane lane = new Lane();
    final boolean takesOpenFrames;
    private final Core core;
    private final Agent agent;
    private final long rate;
    private final CountDownLatch ended = new CountDownLatch(1);
    /** Cycles in a row that a vanished memory has cut short; belongs to the agent. */
    int strikes;
    /** Whether the link has unplugged it by itself. */
    volatile boolean thrownOut;

    /** @param rate bit/s, 0 for none */
    Connection(Jack jack, Plug plug, boolean beside, Core core, Agent agent, long rate) {
        this.jack = jack;
        this.plug = plug;
        this.name = beside ? "companion " + plug.name() + " of port " + jack.name : "port " + jack.name;
        this.takesOpenFrames = plug.takesOpenFrames();
        this.beside = beside;
        this.core = core;
        this.agent = agent;
        this.rate = rate;
    }

    /** The place it takes. */
    AtomicReference<Connection> claim() {
        return beside ? jack.companionClaim : jack.claim;
    }

    /** Whether it is called: it has been plugged in and not unplugged. */
    boolean isIn() {
        return (beside ? jack.companion : jack.connection) == this;
    }

    /** Takes or leaves its place among those that are called; on the agent. */
    void in(boolean now) {
        if (beside) {
            jack.companion = now ? this : null;
            jack.flows = now ? new FlowStarts() : null;
            jack.steeredToPort = false;
        } else {
            jack.connection = now ? this : null;
        }
    }

    /** Why it was thrown out, or {@code null} when it has come back; stands at its place, which outlives it. */
    void failed(String sentence) {
        if (beside) {
            jack.companionFailure = sentence;
        } else {
            jack.failure = sentence;
        }
    }

    @Override
    public void steerToPort(boolean toPort) {
        if (jack.companionClaim.get() == this) {
            if (toPort) {
                jack.steerings.incrementAndGet();
            }
            jack.steeredToPort = toPort;
        }
    }

    @Override
    public void send(Frames frames) {
        core.enter(this, frames);
    }

    boolean isOnAgent() {
        return agent.isCurrent();
    }

    @Override
    public void wake() {
        agent.wake();
    }

    @Override
    public void execute(Runnable command) {
        Objects.requireNonNull(command);
        if (!agent.execute(lane, command)) {
            if (!agent.isCurrent()) {
                await();
            }
            command.run();
        }
    }

    @Override
    public long rate() {
        return rate;
    }

    @Override
    public boolean isThrownOut() {
        return thrownOut;
    }

    @Override
    public void close() {
        boolean first = agent.shut(lane, () -> {
            core.unplug(this);
            ended();
        });
        if (agent.isCurrent()) {
            // it may be closed from a command or from its own cycle: nothing of it is called from here on
            core.unplug(this);
        } else if (!await() && first) {
            LOG.error("link {}: port {} waits no longer for the link's agent, which has been busy for {} s with {}",
                    core.name(), jack.name, PATIENCE.toSeconds(), core.busyWith());
        }
    }

    /** Nothing of the plug is called any more, and nothing that was handed over is left. */
    void ended() {
        claim().compareAndSet(this, null);
        ended.countDown();
    }

    private boolean await() {
        boolean interrupted = false;
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try {
            while (true) {
                try {
                    return ended.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
