package io.manafold.benchmark;

import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;

/**
 * Requests as one more port on the link's agent, and so in one thread with both adapters; a turn takes completions and
 * posts. Where no link is here, the benchmark's thread takes the turns.
 */
abstract class AgentTraffic implements Plug, Pairs.Ours {
    private static final int IDLE = 0;
    private static final int RUNNING = 1;
    private static final int OVER = 2;
    private static final long PATIENCE = 60_000_000_000L;

    /** Since it was made. */
    long posted;
    long completed;
    /** The first bytes of the blocks that were moved. */
    int most;
    private final String name;
    private final String agent;
    private Wire wire;
    private volatile int phase;
    private RuntimeException failure;
    private long stopAt;
    private boolean begun;
    private boolean stopping;
    private long cpuBegin;
    private long wallBegin;
    private long begin;
    private long messages;
    private long wallNanos;
    private long cpuNanos;

    /** @param agent the thread of the link */
    AgentTraffic(String name, String agent) {
        this.name = name;
        this.agent = agent;
    }

    final void plugged(Wire into) {
        wire = into;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final void receive(Frames frames, int from, int to) {
        // flooded frames are not for it
    }

    /** Takes what has completed. */
    abstract void poll();

    /** Posts as much as has room. */
    abstract void post();

    // ---- the benchmark's thread

    @Override
    public final void run(long nanos, boolean oneThread) throws InterruptedException {
        begun = false;
        stopAt = System.nanoTime() + nanos;
        phase = RUNNING;
        if (wire == null) {
            alone(nanos);
        } else {
            atTheAgent(nanos);
        }
        phase = IDLE;
        if (failure != null) {
            throw failure;
        }
    }

    private void alone(long nanos) {
        long patience = System.nanoTime() + nanos + PATIENCE;
        for (int turns = 0; phase != OVER; turns++) {
            doWork();
            if ((turns & 0xffff) == 0xffff && System.nanoTime() - patience > 0) {
                throw new IllegalStateException("requests do not come to an end; " + this);
            }
        }
    }

    private void atTheAgent(long nanos) throws InterruptedException {
        wire.wake();
        long patience = System.nanoTime() + nanos + PATIENCE;
        while (phase != OVER) {
            Thread.sleep(1);
            if (System.nanoTime() - patience > 0) {
                throw new IllegalStateException("the agent does not come to an end; " + this);
            }
        }
    }

    @Override
    public final long packets() {
        return messages;
    }

    @Override
    public final long wallNanos() {
        return wallNanos;
    }

    @Override
    public final long cpuNanos() {
        return cpuNanos;
    }

    @Override
    public final long[] threads(boolean oneThread) {
        return new long[] {wire == null ? Thread.currentThread().threadId() : Clock.thread(agent)};
    }

    final int moved() {
        return most;
    }

    @Override
    public String toString() {
        return posted + " posted, " + completed + " complete";
    }

    // ---- the agent's thread

    @Override
    public final int doWork() {
        if (phase != RUNNING) {
            return 0;
        }
        try {
            step();
        } catch (RuntimeException failed) {
            failure = failed;
            phase = OVER;
        }
        return 1;
    }

    private void step() {
        if (!begun) {
            begun = true;
            stopping = false;
            begin = completed;
            wallBegin = System.nanoTime();
            cpuBegin = Clock.threadNanos();
        }
        poll();
        stopping |= System.nanoTime() - stopAt >= 0;
        if (!stopping) {
            post();
        } else if (completed == posted) {
            cpuNanos = Clock.threadNanos() - cpuBegin;
            wallNanos = System.nanoTime() - wallBegin;
            messages = completed - begin;
            phase = OVER;
        }
    }
}
