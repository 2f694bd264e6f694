package io.manafold.qualify.internal;

import io.manafold.api.ethdev.CoreWork;
import io.manafold.api.ethdev.ReceiveQueue;
import io.manafold.api.ethdev.SendQueue;
import io.manafold.api.qualify.QualificationPlan;
import io.manafold.memory.PacketPool;

/**
 * What the core does that measures: takes what has come at one port and gives it back, and sends at the other what the
 * trial asks for. It allocates nothing.
 */
final class PollWork implements CoreWork {
    private static final int IDLE_BURST = 64;

    private final PacketPool pool;
    private final SendQueue[] out;
    private final ReceiveQueue[] in;
    private final int[] coming = new int[QualificationPlan.MOST_BURST];
    private final int[] going = new int[QualificationPlan.MOST_BURST];
    private volatile PollTrial trial;
    private volatile long thread;
    private int from;
    private int left;
    private int queue;
    private int flow;

    PollWork(PacketPool pool, SendQueue[] out, ReceiveQueue[] in) {
        this.pool = pool;
        this.out = out;
        this.in = in;
    }

    /** What is to be sent from now on; the one before is quiet. */
    void take(PollTrial next) {
        trial = next;
    }

    /** Number of the thread that took the last turn, 0 before the first: an agent may change threads. */
    long thread() {
        return thread;
    }

    @Override
    public int turn() {
        long current = Thread.currentThread().threadId();
        if (current != thread) {
            thread = current;
        }
        PollTrial now = trial;
        if (now == null) {
            return receive(null, 0);
        }
        // one look at the clock is for what has come and for what goes: it costs as much as some packets
        long time = System.nanoTime();
        return receive(now, time) + send(now, time);
    }

    private int receive(PollTrial now, long time) {
        int most = now == null ? IDLE_BURST : now.burst();
        int all = 0;
        for (ReceiveQueue one : in) {
            int count = one.burst(coming, 0, most);
            if (count > 0) {
                count(now, count, time);
                PacketPool.release(coming, 0, count);
                all += count;
            }
        }
        return all;
    }

    private void count(PollTrial now, int count, long time) {
        int its = 0;
        for (int i = 0; now != null && i < count; i++) {
            its += now.frames().isOne(coming[i]) ? 1 : 0;
        }
        if (its > 0) {
            now.arrived(its, time);
        }
    }

    private int send(PollTrial now, long time) {
        if (now.isOver()) {
            giveBack();
            now.quiet();
            return 0;
        }
        if (left == 0 && !begin(now, time)) {
            return 0;
        }
        int taken = out[queue].burst(going, from, left);
        from += taken;
        left -= taken;
        now.sent(taken);
        if (left == 0) {
            queue = queue + 1 < out.length ? queue + 1 : 0;
        }
        return taken;
    }

    private boolean begin(PollTrial now, long time) {
        if (!now.isDue(time)) {
            return false;
        }
        if (!pool.take(going, 0, now.burst())) {
            // all are under way: some come home when queues look
            for (SendQueue one : out) {
                one.reclaim();
            }
            return false;
        }
        for (int i = 0; i < now.burst(); i++) {
            now.frames().write(going[i], flow);
            flow = flow + 1 & PollFrames.FLOWS - 1;
        }
        from = 0;
        left = now.burst();
        now.begin(time);
        return true;
    }

    /** Packets that no queue has taken; on the core's thread, or when it takes no turns any more. */
    void giveBack() {
        if (left > 0) {
            PacketPool.release(going, from, left);
            left = 0;
        }
    }
}
