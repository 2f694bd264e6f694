package io.manafold.benchmark;

import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;
import io.manafold.api.rdma.SendList;

/**
 * Writes by verbs, as one more port on the link's agent, and so in one thread with both adapters: polls, and posts lists as the bare
 * loop posts bursts, the last request of each having a completion.
 */
final class VerbsTraffic implements Plug, Pairs.Ours {
    static final String PORT = "verbs/1";
    private static final int IDLE = 0;
    private static final int RUNNING = 1;
    private static final int OVER = 2;

    private final VerbsEndpoint left;
    private final VerbsEndpoint right;
    private final int bytes;
    private final boolean fromMemory;
    private final int window;
    private final int burst;
    private Wire wire;
    private volatile int phase;
    private RuntimeException failure;

    private int place;
    private int most;
    private long posted;
    private long completed;
    private long lists;
    private long stopAt;
    private boolean begun;
    private boolean stopping;
    private long cpuBegin;
    private long wallBegin;
    private long begin;

    private long messages;
    private long wallNanos;
    private long cpuNanos;

    VerbsTraffic(RdmaCase what, VerbsEndpoint left, VerbsEndpoint right) {
        this.left = left;
        this.right = right;
        bytes = what.bytes();
        fromMemory = what.fromMemory();
        window = RdmaTraffic.window(bytes);
        burst = window / 2;
    }

    void plugged(Wire into) {
        wire = into;
    }

    @Override
    public String name() {
        return PORT;
    }

    @Override
    public void receive(Frames frames, int from, int to) {
        // flooded frames are not for it
    }

    // ---- the benchmark's thread

    @Override
    public void run(long nanos, boolean oneThread) throws InterruptedException {
        begun = false;
        stopAt = System.nanoTime() + nanos;
        phase = RUNNING;
        wire.wake();
        long patience = System.nanoTime() + nanos + 60_000_000_000L;
        while (phase != OVER) {
            Thread.sleep(1);
            if (System.nanoTime() - patience > 0) {
                throw new IllegalStateException("the agent does not come to an end; " + this);
            }
        }
        phase = IDLE;
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public long packets() {
        return messages;
    }

    @Override
    public long wallNanos() {
        return wallNanos;
    }

    @Override
    public long cpuNanos() {
        return cpuNanos;
    }

    @Override
    public long[] threads(boolean oneThread) {
        return new long[] {Clock.thread(VerbsLab.AGENT)};
    }

    /** The first bytes of the blocks that were moved. */
    int moved() {
        return most;
    }

    /** One for each list. */
    double doorbells() {
        return lists / (double) completed;
    }

    @Override
    public String toString() {
        return posted + " posted, " + completed + " complete";
    }

    // ---- the agent's thread

    @Override
    public int doWork() {
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
        int count = left.poll();
        if (count > 0) {
            completed = left.polled.id(count - 1);
        }
        stopping |= System.nanoTime() - stopAt >= 0;
        if (!stopping) {
            while (posted - completed + burst <= window) {
                post();
            }
        } else if (completed == posted) {
            cpuNanos = Clock.threadNanos() - cpuBegin;
            wallNanos = System.nanoTime() - wallBegin;
            messages = completed - begin;
            phase = OVER;
        }
    }

    /** Each request is called by the number of those that are done when it is. */
    private void post() {
        SendList sends = left.sends.clear();
        for (int i = 1; i <= burst; i++) {
            sends.write(posted + i, i == burst ? SendList.SIGNALED : 0, right.region.address() + place, right.region.remoteKey())
                    .piece(left.region.address() + place, left.region.localKey(), bytes);
            most = Math.max(most, place + bytes);
            place = !fromMemory || place + 2 * bytes > RdmaEndpoint.BYTES ? 0 : place + bytes;
        }
        if (left.pair.post(sends) != burst) {
            throw new IllegalStateException("there is no room for a list");
        }
        lists++;
        posted += burst;
    }
}
