package io.manafold.adapter.internal.rdma;

import io.manafold.adapter.internal.queue.MemoryKeys;
import io.manafold.api.adapter.RdmaQueuePair;
import io.manafold.gdma.QpState;
import io.manafold.roce.DcqcnSettings;
import io.manafold.roce.Packet;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A queue pair: rings that a driver fills, and what it owes its peer. Belongs to the agent of its port, but for
 * doorbells.
 */
public abstract class QueuePair {
    private static final VarHandle READY;

    static {
        try {
            READY = MethodHandles.lookup().findVarHandle(QueuePair.class, "ready", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** Of the port that it is connected through; another only between two states in which it sends. */
    private volatile RdmaEngine engine;
    final int number;
    final int slot;
    final MemoryKeys keys;
    final int pd;
    final RdmaCompletions sendCompletions;
    final RdmaCompletions receiveCompletions;
    final String where;
    private volatile QpState state = QpState.RESET;
    /** Whether its driver was told by an event, since the last reset, that it has failed. */
    private volatile boolean fatal;

    /** Of {@link ReadySet}. */
    QueuePair nextReady;
    private boolean ready;
    /** Of {@link RoundRobinList}: the list that it waits in, or {@code null}. */
    RoundRobinList turns;
    QueuePair nextTurn;

    QueuePair(RdmaEngine engine, int number, int slot, MemoryKeys keys, int pd, RdmaCompletions sendCompletions,
            RdmaCompletions receiveCompletions) {
        this.engine = engine;
        this.number = number;
        this.slot = slot;
        this.keys = keys;
        this.pd = pd;
        this.sendCompletions = sendCompletions;
        this.receiveCompletions = receiveCompletions;
        this.where = engine.name() + " queue pair " + number;
    }

    public final int number() {
        return number;
    }

    public final RdmaEngine engine() {
        return engine;
    }

    /**
     * It belongs to another port's agent from now on; nothing of it is with the former one any more, whose agent calls.
     */
    final void engine(RdmaEngine next) {
        int uses = sendCompletions == receiveCompletions ? 2 : 1;
        sendCompletions.follow(engine, next, uses);
        receiveCompletions.follow(engine, next, uses);
        engine = next;
    }

    public final int pd() {
        return pd;
    }

    public final RdmaCompletions sendCompletions() {
        return sendCompletions;
    }

    public final RdmaCompletions receiveCompletions() {
        return receiveCompletions;
    }

    public final QpState state() {
        return state;
    }

    final void state(QpState next) {
        if (next == QpState.RESET) {
            fatal = false;
        }
        state = next;
    }

    /** Whether its driver was told by an event, since the last reset, that it has failed. */
    final boolean isFatal() {
        return fatal;
    }

    /** Its driver is told so from now on; false if it was before. */
    final boolean becomesFatal() {
        boolean first = !fatal;
        fatal = true;
        return first;
    }

    /** A doorbell for its send ring. Any thread. */
    public abstract void ringSends(int produced);

    /** A doorbell for its receive ring. Any thread. */
    public abstract void ringReceives(int produced);

    /** Whether the kernel has something behind the places in its queues that come next. */
    boolean isThere() {
        return sendCompletions.isThere(engine) && receiveCompletions.isThere(engine);
    }

    /** Takes a packet that names it. */
    abstract void receive(Packet packet, ReceivedFrame arrival, long now);

    /** The class of its packets, by which a link asks ports to pause. */
    int priority() {
        return 0;
    }

    /** Sends what it may, up to so many packets; whether it could go on at once. */
    abstract boolean work(SendBatch out, int packets, long now);

    /** A time that it has asked for has come. */
    abstract void expire(long now);

    /** Does nothing any more, and tells its driver nothing: the memory to tell it in may be what has vanished. */
    abstract void stop();

    /** What it is like at about this moment: any thread looks, and may see some of it a little later than the rest. */
    public abstract RdmaQueuePair status();

    /** Other settings of congestion control, for those that have any. */
    void dcqcn(DcqcnSettings changed) {
    }

    /** Nothing of it is left in memory of ours. */
    void close() {
    }

    final boolean markReady() {
        return READY.compareAndSet(this, false, true);
    }

    final void unmarkReady() {
        READY.setVolatile(this, false);
    }
}
