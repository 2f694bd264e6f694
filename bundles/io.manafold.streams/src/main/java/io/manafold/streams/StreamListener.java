package io.manafold.streams;

import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.EndpointPlan;
import io.manafold.api.sockets.KnobState;
import io.manafold.api.sockets.Listener;
import io.manafold.api.sockets.ListenerState;
import io.manafold.api.sockets.Operation;
import java.net.InetSocketAddress;
import java.util.List;

/** What listeners of all transports have in common. */
public abstract class StreamListener implements Listener {
    private final StreamQueues queues;
    private final String name;
    private final EndpointPlan plan;
    private final List<KnobState> knobs;
    private final long tag;
    private volatile InetSocketAddress local;
    private volatile long accepted;
    private volatile String resting;
    private boolean closed;

    protected StreamListener(StreamQueues queues, EndpointPlan plan, List<KnobState> knobs, long tag) {
        this.queues = queues;
        this.plan = plan;
        this.knobs = knobs;
        this.tag = tag;
        name = queues.context().nextName();
    }

    /** Those that rest may have room; called often. */
    protected abstract void resume();

    /** Lets go of the port. */
    protected abstract void stop();

    protected final void listening(InetSocketAddress at) {
        local = at;
    }

    /** A connection has come. */
    protected final void accepted(StreamEndpoint endpoint) {
        accepted = accepted + 1;
        queues.ring().add(endpoint, Operation.ACCEPT, tag, Completions.MORE, 0, 0);
    }

    /**
     * None can be taken for a while.
     *
     * @param why a clause; said once until it goes on
     */
    protected final void rests(int errno, String why) {
        if (resting == null && errno != 0) {
            queues.ring().add(null, Operation.ACCEPT, tag, Completions.MORE, errno, 0);
        }
        resting = why;
    }

    protected final void goesOn() {
        resting = null;
    }

    protected final boolean isResting() {
        return resting != null;
    }

    protected final boolean isClosed() {
        return closed;
    }

    protected final StreamQueues streamQueues() {
        return queues;
    }

    protected final EndpointPlan plan() {
        return plan;
    }

    protected final List<KnobState> knobs() {
        return knobs;
    }

    final void closeInside() {
        if (!closed) {
            closed = true;
            stop();
            queues.forget(this);
            queues.ring().add(null, Operation.CLOSE, tag, 0, 0, 0);
        }
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final InetSocketAddress local() {
        return local;
    }

    @Override
    public final ListenerState state() {
        return new ListenerState(name, queues.context().transport(), local, accepted, resting, knobs,
                queues.context().owner());
    }

    @Override
    public final void close() {
        queues.run(this::closeInside);
    }
}
