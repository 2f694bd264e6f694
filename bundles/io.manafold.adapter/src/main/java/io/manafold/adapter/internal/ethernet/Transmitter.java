package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.Rejections;
import io.manafold.adapter.internal.shaping.Schedule;
import io.manafold.adapter.internal.shaping.SendTree;
import io.manafold.api.agent.DutyCycle;
import io.manafold.api.fabric.Wire;
import io.manafold.memory.RawMemory;
import java.util.function.LongSupplier;

/**
 * The sending half of a port. Queues whose doorbell was rung take turns by bytes or, once there are shapers, as those
 * have it. Belongs to the agent.
 */
final class Transmitter implements PortEngine.SendLimit {
    /** Frames of one cycle: others on the agent want their turn too. */
    private static final int CYCLE = 256;
    /** Bytes of a queue's turn, so that queues share the wire whatever the size of their frames. */
    private static final int TURN = 16384;

    private final SendQueue[] queues;
    private final PortCounters counters;
    private final FrameSender sender;
    private final Schedule clamp = Schedule.ceiling();
    private final SendTree tree;
    private final PausedQueues paused;
    private final LongSupplier nanoTime;

    /** Queues that may have something to do, a bit for each. */
    private long active;
    private int turn;
    private boolean held;
    /** Whether the port has had nothing to send since it has sent last, see {@link #rest}. */
    private boolean rested = true;
    private SendQueue served;
    private long cycle;

    Transmitter(SendQueue[] queues, SendTree tree, int mtuFrame, PortCounters counters, Rejections rejections,
            PortPauses pauses, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.queues = queues;
        this.paused = new PausedQueues(pauses, nanoTime);
        this.counters = counters;
        this.sender = new FrameSender(queues, mtuFrame, counters, rejections, paused);
        this.tree = tree;
    }

    FrameSender sender() {
        return sender;
    }

    void limit(long bitsPerSecond) {
        clamp.set(bitsPerSecond, false, 0, nanoTime.getAsLong());
        held = false;
    }

    @Override
    public boolean isPaced() {
        return clamp.limits();
    }

    @Override
    public boolean holds(long now) {
        if (!clamp.limits()) {
            return false;
        }
        if (active == 0) {
            goOn(now);
        }
        return clamp.holds(now);
    }

    @Override
    public void charge(int bytes, int frames, long now) {
        if (clamp.limits()) {
            clamp.charge(bytes, frames, now);
        }
    }

    @Override
    public long due() {
        return clamp.due();
    }

    /** Whether there is nothing to do as long as no doorbell is rung. */
    boolean isIdle() {
        return active == 0 && (paused.all() == 0 || paused.restNanos(nanoTime.getAsLong()) > 0);
    }

    /**
     * A cycle has found nothing to send, neither in the port's queues nor by its engine. What the limit would have let
     * go from then on is not made up for, but for the little that every pause has. An engine has nothing to send either
     * while its peers owe it acknowledgements. What the limit holds back is there to be sent: if its next cycle is
     * late, it was the agent that came late, and that is made up for.
     */
    void rest() {
        rested = true;
    }

    /** Sends what is there to send, within bounds. */
    int work(long ready, Wire to, boolean isLinked) {
        active |= paused.begin() | ready & ~paused.all();
        sender.begin(to, isLinked);
        held = false;
        cycle++;
        try {
            if (clamp.limits()) {
                goOn(nanoTime.getAsLong());
            }
            if (tree.isEmpty()) {
                takeTurns();
            } else {
                followTree();
            }
            if (!sender.flush() && sender.mayVanish()) {
                RawMemory.settle();
            }
        } catch (InternalError gone) {
            sender.recover(served, cycle);
        } catch (RuntimeException mistake) {
            // no input leads here; if one does, it costs its own queue and no other
            sender.fail(served, mistake);
        }
        counters.addSent();
        return sender.done;
    }

    private void goOn(long now) {
        if (rested) {
            clamp.resume(now);
        } else {
            clamp.renew(now);
        }
        rested = false;
    }

    /** How long nothing can be done. */
    long restNanos() {
        if (active != 0 && !held) {
            return 0;
        }
        if (active == 0 && paused.all() == 0) {
            return DutyCycle.UNTIL_WOKEN;
        }
        long now = nanoTime.getAsLong();
        long pause = paused.restNanos(now);
        return active == 0 ? pause : Math.min(pause, heldNanos(now));
    }

    private long heldNanos(long now) {
        long rest = clamp.limits() ? clamp.due() - now : 0;
        if (!tree.isEmpty()) {
            long due = tree.due(now);
            // without an end only if all its queues have just been taken away
            rest = Math.max(rest, due == Long.MAX_VALUE ? 0 : due - now);
        }
        return Math.max(0, rest);
    }

    // ---- queues as shapers have it

    private void followTree() {
        tree.begin(active, nanoTime.getAsLong());
        while (sender.done < CYCLE) {
            long now = nanoTime.getAsLong();
            int slot = clamp.limits() && clamp.holds(now) ? -1 : tree.next(now);
            if (slot < 0) {
                held = true;
                return;
            }
            SendQueue queue = queues[slot];
            if (queue != null && !queue.ended) {
                follow(queue, now);
            }
            if (queue == null || queue.ended || waits(queue) || !queue.underWay && queue.available() == 0) {
                active &= ~(1L << slot);
                tree.end(slot, now);
            }
        }
    }

    private void follow(SendQueue queue, long now) {
        if (!serves(queue)) {
            return;
        }
        int frames = sender.sentFrames;
        int bytes = sender.sentBytes;
        queue.credit = tree.bytes();
        if (queue.underWay) {
            sender.segment(queue);
        } else {
            int available = queue.available();
            int most = Math.min(clamp.limits() ? 1 : tree.frames(), CYCLE - sender.done);
            if (available != 0 && !sender.plain(queue, most)) {
                sender.request(queue, available);
            }
        }
        frames = sender.sentFrames - frames;
        bytes = sender.sentBytes - bytes;
        if (frames > 0) {
            tree.sent(queue.slot, bytes, frames, now);
            if (clamp.limits()) {
                clamp.charge(bytes, frames, now);
            }
        }
    }

    /** Whether a queue's next frame is of a class that is paused; then it is left out until that is over. */
    private boolean waits(SendQueue queue) {
        if (!queue.paused) {
            return false;
        }
        queue.paused = false;
        active &= ~(1L << queue.slot);
        paused.add(queue.slot, queue.work.pauseClass);
        return true;
    }

    // ---- queues in turn

    private void takeTurns() {
        while (active != 0 && sender.done < CYCLE && !held) {
            turn(next());
        }
    }

    /** The next active queue in turn; the one whose turn was cut short by the rate goes on. */
    private int next() {
        long after = active & -1L << turn;
        turn = Long.numberOfTrailingZeros(after != 0 ? after : active);
        return turn;
    }

    private void endTurn() {
        turn = turn + 1 & 63;
    }

    private void turn(int slot) {
        SendQueue queue = slot < queues.length ? queues[slot] : null;
        if (queue == null || queue.ended) {
            active &= ~(1L << slot);
            endTurn();
            return;
        }
        if (queue.credit <= 0) {
            queue.credit += TURN;
        }
        if (!serves(queue)) {
            return;
        }
        boolean paced = clamp.limits();
        while (queue.credit > 0 && sender.done < CYCLE) {
            long now = paced ? nanoTime.getAsLong() : 0;
            if (paced && clamp.holds(now)) {
                held = true;
                return;
            }
            int before = sender.sentBytes;
            int frames = sender.sentFrames;
            if (queue.underWay) {
                sender.segment(queue);
            } else {
                int available = queue.available();
                if (available == 0) {
                    queue.credit = 0;
                    active &= ~(1L << slot);
                    endTurn();
                    return;
                }
                if (!paced && sender.plain(queue, CYCLE - sender.done)) {
                    continue;
                }
                sender.request(queue, available);
                if (queue.ended) {
                    // next time it is found ended, and its turn is over
                    return;
                }
            }
            if (waits(queue)) {
                queue.credit = 0;
                endTurn();
                return;
            }
            if (paced) {
                clamp.charge(sender.sentBytes - before, sender.sentFrames - frames, now);
            }
        }
        if (queue.credit <= 0) {
            endTurn();
        }
    }

    /** Turns to a queue; false if the large send it was at has lost its memory. */
    private boolean serves(SendQueue queue) {
        served = queue;
        if (queue.newCycle(cycle) && queue.underWay && !queue.work.refresh(queue)) {
            queue.underWay = false;
            sender.refuse(queue, SendFault.RANGE);
            return false;
        }
        return true;
    }

    void forgetNames() {
        tree.forgetNames(nanoTime.getAsLong());
    }

    /**
     * A queue is gone; nothing of it is left in a burst between two cycles.
     *
     * @param waited units of requests that were still to be sent
     * @param last whether there is no other
     */
    void forget(SendQueue queue, int waited, boolean last) {
        int slot = queue.slot;
        active &= ~(1L << slot);
        paused.forget(slot);
        tree.forget(slot, waited, last, nanoTime.getAsLong());
        if (served == queue) {
            served = null;
        }
    }

    void close() {
        sender.close();
    }
}
