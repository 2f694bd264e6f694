package io.manafold.benchmark;

import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Plug;
import io.manafold.api.fabric.Wire;
import io.manafold.memory.RawMemory;
import io.manafold.testkit.PacketHandler;
import io.manafold.testkit.ReceiveQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The driver's side of the loop: takes what has arrived on a queue and what has completed, posts a burst, goes on to
 * the next queue. It runs on a thread of its own, or as one more port on the link's agent and then in one thread with
 * the adapter; or half and half, with the receiving queues left to the agent.
 */
final class LoopTraffic implements Plug, PacketHandler, Pairs.Ours {
    static final String PORT = "driver/1";
    private static final int IDLE = 0;
    private static final int RUNNING = 1;
    private static final int OVER = 2;
    private static final int TURNS = 64;

    private final LoopSender[] senders;
    private final ReceiveQueue[] receivers;
    private final int burst;
    private final int window;
    private final boolean apart;
    private Wire wire;
    private volatile int phase;
    private volatile boolean onAgent;

    private int queue;
    /** The queue that the receiving half looks at next. */
    private int taken;
    private long sent;
    private long received;
    private long sum;
    /** What {@link #received} was after the last look, for the other thread. */
    private final AtomicLong arrived = new AtomicLong();
    private final int[] open;
    private long stopAt;
    private int turns;
    private boolean begun;
    private boolean stopping;
    private long cpuBegin;
    private long wallBegin;
    private long packetsBegin;

    private long packets;
    private long wallNanos;
    private long cpuNanos;

    LoopTraffic(LoopSender[] senders, ReceiveQueue[] receivers, int burst, int window, boolean apart) {
        this.senders = senders;
        this.receivers = receivers;
        this.burst = burst;
        this.window = window;
        this.apart = apart;
        open = new int[senders.length];
    }

    void plugged(Wire into) {
        wire = into;
    }

    /** On the agent or on a thread of its own. */
    @Override
    public void run(long nanos, boolean agent) throws InterruptedException {
        onAgent = agent;
        begun = false;
        stopAt = System.nanoTime() + nanos;
        phase = RUNNING;
        if (agent) {
            wire.wake();
            long patience = System.nanoTime() + nanos + 20_000_000_000L;
            while (phase != OVER) {
                Thread.sleep(1);
                if (System.nanoTime() - patience > 0) {
                    throw new IllegalStateException("the agent does not come to an end; " + this);
                }
            }
        } else {
            while (phase != OVER) {
                if (step() == 0) {
                    Thread.onSpinWait();
                }
            }
        }
        phase = IDLE;
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

    @Override
    public String toString() {
        return sent + " sent, " + received + " received";
    }

    /** Whether each frame has arrived once and whole. */
    boolean isComplete() {
        return sent == received && sum == sent * (sent - 1) / 2;
    }

    @Override
    public String name() {
        return PORT;
    }

    @Override
    public int doWork() {
        if (phase != RUNNING) {
            return 0;
        }
        return onAgent ? step() : apart ? take() : 0;
    }

    /** The receiving half alone. */
    private int take() {
        int now = taken;
        taken = now + 1 == receivers.length ? 0 : now + 1;
        int done = receivers[now].poll(this);
        arrived.setRelease(received);
        return done;
    }

    private int step() {
        if (!begun) {
            begin();
        }
        boolean last = false;
        if (++turns == TURNS) {
            turns = 0;
            last = System.nanoTime() - stopAt >= 0;
            if (last && arrived() == sent) {
                end();
                return 1;
            }
        }
        stopping |= last;
        return turn() + (onAgent ? 1 : 0);
    }

    private void begin() {
        begun = true;
        stopping = false;
        packetsBegin = arrived();
        wallBegin = System.nanoTime();
        cpuBegin = Clock.threadNanos();
    }

    private long arrived() {
        return apart ? arrived.getAcquire() : received;
    }

    private void end() {
        cpuNanos = Clock.threadNanos() - cpuBegin;
        wallNanos = System.nanoTime() - wallBegin;
        packets = arrived() - packetsBegin;
        phase = OVER;
    }

    private int turn() {
        int now = queue;
        queue = now + 1 == senders.length ? 0 : now + 1;
        LoopSender sender = senders[now];
        if (apart) {
            // who receives is on the adapter's thread and posts buffers before that takes more frames than there are
            return sender.reap() + (!stopping && sender.hasRoom(burst) ? post(sender) : 0);
        }
        long before = received;
        receivers[now].poll(this);
        int got = (int) (received - before);
        open[now] -= got;
        int done = sender.reap() + got;
        if (!stopping && open[now] + burst <= window && sender.hasRoom(burst)) {
            open[now] += burst;
            done += post(sender);
        }
        return done;
    }

    private int post(LoopSender sender) {
        sender.post(burst, sent);
        sent += burst;
        return burst;
    }

    @Override
    public void packet(long pointer, int length, int flags, int hash) {
        sum += RawMemory.get64(pointer + length - 8);
        received++;
    }

    @Override
    public void receive(Frames frames, int from, int to) {
        // flooded frames are not for it
    }
}
