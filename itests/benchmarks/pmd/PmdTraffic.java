package io.manafold.benchmark;

import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;
import io.manafold.memory.PacketPool;
import io.manafold.packet.Toeplitz;
import io.manafold.pmd.internal.device.LoopPort;

/**
 * What stands above the two ports: on a thread of its own, or as one more port on the link's agent and then in one
 * thread with the adapter. Lanes take turns.
 */
final class PmdTraffic implements Plug, Pairs.Ours {
    static final String PORT = "driver/1";
    private static final int IDLE = 0;
    private static final int RUNNING = 1;
    private static final int OVER = 2;
    private static final int TURNS = 64;
    private static final int EMPTY_TURNS = 200_000;
    /** Packets of a lane under way at most, some less than a ring holds. */
    private static final int WINDOW = 768;
    /** Packets that may wait to be sent when they come at a pace: those of a ring. */
    static final int WAITING = 1024;
    /** Turns from a look at the clock to the next. */
    private static final int GLANCE = 8;
    private static final int HEADER = 42;
    private static final int EXPERIMENTAL = 0x88b5;
    private static final long PATIENCE = 20_000_000_000L;

    private final PmdCase.Mode mode;
    private final int burst;
    private double pace;
    private int glance;
    private long come;
    private long lost;
    private final PmdLane[] lanes;
    private Wire wire;
    private volatile int phase;
    private volatile boolean onAgent;
    private volatile RuntimeException failure;
    /** Now and then, for the thread that looks on. */
    private volatile long progress;

    private int lane;
    private int turns;
    private int filled;
    private long stopAt;
    private boolean begun;
    private boolean stopping;
    private long cpuBegin;
    private long wallBegin;
    private long packetsBegin;

    private long packets;
    private long wallNanos;
    private long cpuNanos;

    PmdTraffic(PmdCase what, PacketPool pool, LoopPort left, long leftMac, LoopPort right, long rightMac) {
        mode = what.mode();
        burst = what.burst();
        lanes = new PmdLane[what.queues()];
        for (int i = 0; i < lanes.length; i++) {
            byte[] to = head(what, rightMac, leftMac, i, left.key());
            lanes[i] = switch (mode) {
                case TXONLY -> new PmdLane(what, pool, right.receive(i), left.send(i), null, null, to, WINDOW);
                // what is sent by the left port is meant for the right one, which has the left one send it again
                case IO -> new PmdLane(what, pool, right.receive(i), left.send(i), null, null, to, WINDOW);
                case MACSWAP -> new PmdLane(what, pool, right.receive(i), left.send(i), left.receive(i), right.send(i),
                        to, WINDOW);
            };
        }
    }

    /** A frame that is nothing to be hashed, or UDP whose hash leads to the queue either way. */
    private static byte[] head(PmdCase what, long destination, long source, int queue, byte[] key) {
        byte[] head = new byte[what.queues() == 1 ? 14 : HEADER];
        address(head, 0, destination);
        address(head, 6, source);
        if (what.queues() == 1) {
            put16(head, 12, EXPERIMENTAL);
            return head;
        }
        put16(head, 12, 0x0800);
        put16(head, 14, 0x4500);
        put16(head, 16, what.frame() - 14);
        head[22] = 64;
        head[23] = 17;
        put16(head, 26, 0x0a00);
        head[29] = 1;
        put16(head, 30, 0x0a00);
        head[33] = 2;
        put16(head, 36, 9);
        put16(head, 38, what.frame() - 34);
        Toeplitz toeplitz = new Toeplitz(key);
        int port = 1024;
        do {
            put16(head, 34, port++);
        } while ((toeplitz.hash(head, 26, 12) & what.queues() - 1) != queue);
        return head;
    }

    private static void address(byte[] frame, int at, long address) {
        for (int i = 0; i < 6; i++) {
            frame[at + i] = (byte) (address >> 40 - 8 * i);
        }
    }

    private static void put16(byte[] frame, int at, int value) {
        frame[at] = (byte) (value >> 8);
        frame[at + 1] = (byte) value;
    }

    /**
     * Has packets come to the one lane at a pace, sent or not: those before which a ring of others waits are lost.
     *
     * @param packets in a nanosecond of processor time
     */
    void pace(double packets) {
        pace = packets;
    }

    /** Packets that have come and could not be sent. */
    long lost() {
        return lost;
    }

    private int paced(PmdLane now) {
        if (++glance == GLANCE) {
            glance = 0;
            come = (long) ((Clock.threadNanos() - cpuBegin) * pace);
        }
        long waiting = come - lost - (now.sent - packetsBegin);
        // no branch: the first loss would be one that compiled code has not seen, which has it compiled again
        lost += Math.max(0, waiting - WAITING);
        return now.end() + (waiting >= burst ? now.make() : 0);
    }

    void plugged(Wire into) {
        wire = into;
    }

    @Override
    public void run(long nanos, boolean agent) throws InterruptedException {
        begin(nanos, agent);
        long patience = System.nanoTime() + nanos + PATIENCE;
        if (agent) {
            while (phase != OVER) {
                Thread.sleep(1);
                check(patience);
            }
        } else {
            while (phase != OVER) {
                if (step() == 0) {
                    Thread.onSpinWait();
                    check(patience);
                }
            }
        }
        phase = IDLE;
        if (failure != null) {
            throw failure;
        }
    }

    private void check(long patience) {
        if (System.nanoTime() - patience > 0) {
            throw new IllegalStateException("it does not come to an end; " + this);
        }
    }

    /** Has it run for a while. */
    void begin(long nanos, boolean agent) {
        onAgent = agent;
        begun = false;
        filled = 0;
        stopAt = System.nanoTime() + nanos;
        phase = RUNNING;
        if (agent) {
            wire.wake();
        }
    }

    /** Processor time of a turn that finds nothing to do. Nothing is under way. */
    double emptyTurnNanos() {
        emptyTurns();
        return (double) emptyTurns() / EMPTY_TURNS;
    }

    private long emptyTurns() {
        PmdLane one = lanes[0];
        int found = 0;
        long begin = Clock.threadNanos();
        for (int i = 0; i < EMPTY_TURNS; i++) {
            one.reclaim();
            found += one.end();
        }
        long nanos = Clock.threadNanos() - begin;
        if (found > 0) {
            throw new IllegalStateException(found + " packets have come to turns that were to be empty");
        }
        return nanos;
    }

    /** How many have arrived, some time ago. */
    long progress() {
        return progress;
    }

    @Override
    public long packets() {
        return packets;
    }

    @Override
    public long wallNanos() {
        return wallNanos;
    }

    @Override
    public long cpuNanos() {
        return cpuNanos;
    }

    /** In one thread it is the agent's, while this one only waits. */
    @Override
    public long[] threads(boolean oneThread) {
        long agent = Clock.thread("manafold-link-loop");
        return oneThread ? new long[] {agent} : new long[] {agent, Thread.currentThread().threadId()};
    }

    private long sent() {
        long all = 0;
        for (PmdLane one : lanes) {
            all += one.sent;
        }
        return all;
    }

    private long received() {
        long all = 0;
        for (PmdLane one : lanes) {
            all += one.received;
        }
        return all;
    }

    private long ended() {
        long all = 0;
        for (PmdLane one : lanes) {
            all += one.ended;
        }
        return all;
    }

    @Override
    public String toString() {
        return sent() + " sent, " + received() + " received, " + ended() + " ended";
    }

    /** Whether each packet has arrived once and whole. */
    boolean isComplete() {
        boolean complete = true;
        for (PmdLane one : lanes) {
            complete &= one.sent == one.ended && one.sum == one.sent * (one.sent - 1) / 2;
        }
        return complete;
    }

    @Override
    public String name() {
        return PORT;
    }

    @Override
    public int doWork() {
        return phase == RUNNING && onAgent ? step() : 0;
    }

    private int step() {
        try {
            return work();
        } catch (RuntimeException wrong) {
            failure = wrong;
            phase = OVER;
            return 0;
        }
    }

    private int work() {
        if (!begun) {
            startClock();
        }
        if (++turns == TURNS) {
            turns = 0;
            progress = received();
            stopping |= System.nanoTime() - stopAt >= 0;
            if (stopping && ended() == sent()) {
                stopClock();
                return 1;
            }
        }
        PmdLane now = lanes[lane];
        lane = lane + 1 == lanes.length ? 0 : lane + 1;
        return turn(now) + (onAgent ? 1 : 0);
    }

    private int turn(PmdLane now) {
        if (stopping) {
            now.reclaim();
            return now.end();
        }
        if (pace > 0) {
            return paced(now);
        }
        if (mode == PmdCase.Mode.TXONLY) {
            return now.end() + now.make();
        }
        int done = mode == PmdCase.Mode.IO ? now.forward() : now.swap();
        // what goes round is made first, a burst in each turn
        if (filled < WINDOW / 2 * lanes.length) {
            int made = now.make();
            filled += made;
            done += made;
        }
        return done;
    }

    private void startClock() {
        begun = true;
        stopping = false;
        packetsBegin = received();
        come = 0;
        lost = 0;
        wallBegin = System.nanoTime();
        cpuBegin = Clock.threadNanos();
    }

    private void stopClock() {
        cpuNanos = Clock.threadNanos() - cpuBegin;
        wallNanos = System.nanoTime() - wallBegin;
        packets = received() - packetsBegin;
        phase = OVER;
    }

    @Override
    public void receive(Frames frames, int from, int to) {
        // flooded frames are not for it
    }
}
