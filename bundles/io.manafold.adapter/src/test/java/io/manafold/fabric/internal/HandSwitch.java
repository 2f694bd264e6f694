package io.manafold.fabric.internal;

import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.LinkStatus.QueueStatus;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Queueing;
import io.manafold.api.fabric.Wire;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The real switch, its queues, marks and pauses, on a clock that only a test moves. It has no agent: {@link #step} is
 * one cycle, on the thread that calls it, and nothing else is at work meanwhile. The same steps have the same outcome
 * each time.
 */
public final class HandSwitch extends LinkWithoutViews implements AutoCloseable {
    private final AtomicLong now = new AtomicLong(1_000_000_000);
    private final Counters counters = new Counters();
    private final Jack[] jacks;
    private final Core core = new Core("net", counters);
    private final PacketRules rules;
    private final OutputQueues queues;
    private final long rate;

    /** @param queueing how frames wait, or {@code null} if they do not */
    public HandSwitch(Queueing queueing, String... ports) {
        jacks = new Jack[ports.length];
        for (int place = 0; place < ports.length; place++) {
            jacks[place] = new Jack(ports[place], place);
        }
        rate = queueing == null ? 0 : queueing.rate();
        queues = queueing == null ? null : new OutputQueues(jacks, ports.length, queueing, core, counters, this::now);
        Switching switching = new Switching(jacks, queues == null ? core : queues, counters, this::now);
        Impairing impairing = new Impairing(jacks, switching, counters, this::now);
        rules = new PacketRules(jacks, impairing, counters, this::now);
        core.use(rules, impairing, new Captures("net", List.of(ports), counters), queues);
        if (queues != null) {
            queues.start(1);
        }
    }

    /** What the time is. */
    public long now() {
        return now.get();
    }

    /** Lets time pass, and then has all ports and queues do what there is to do. */
    public void step(long nanos) {
        now.addAndGet(nanos);
        core.begin();
        try {
            core.doWork();
        } finally {
            core.end();
        }
    }

    /** How long an agent would rest now. */
    public long restNanos() {
        return core.restNanos();
    }

    /** The queue in front of a port. */
    public QueueStatus queue(String port) {
        return queues.status().stream().filter(one -> one.port().equals(port)).findAny().orElseThrow();
    }

    @Override
    public String name() {
        return "net";
    }

    @Override
    public Wire plug(Plug plug) {
        for (Jack jack : jacks) {
            if (jack.name.equals(plug.name())) {
                return new HandWire(jack, plug);
            }
        }
        throw new IllegalArgumentException(plug.name());
    }

    private final class HandWire implements Wire {
        private final Jack jack;
        private final Connection connection;

        HandWire(Jack jack, Plug plug) {
            this.jack = jack;
            this.connection = new Connection(jack, plug, false, core, null, rate);
            core.plug(connection);
        }

        @Override
        public void send(Frames frames) {
            rules.pass(jack, frames, frames.count());
        }

        @Override
        public void wake() {
            // the next step comes anyway
        }

        @Override
        public void execute(Runnable command) {
            command.run();
        }

        @Override
        public long rate() {
            return rate;
        }

        @Override
        public void close() {
            core.unplug(connection);
        }
    }

    @Override
    public void close() {
        if (queues != null) {
            queues.close();
        }
        core.ended();
    }
}
