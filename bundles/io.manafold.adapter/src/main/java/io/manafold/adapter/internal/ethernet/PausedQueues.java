package io.manafold.adapter.internal.ethernet;

import io.manafold.api.agent.DutyCycle;
import io.manafold.packet.PauseFrame;
import java.util.function.LongSupplier;

/**
 * Send queues whose next frame is of a class that the link has asked to pause. They cost no turn until that is over,
 * and hold up no other queue; the frames behind the first wait with it, since a queue's frames leave in order. Belongs
 * to the agent.
 */
final class PausedQueues {
    private final PortPauses pauses;
    private final LongSupplier nanoTime;
    /** For each class a bit for each queue. */
    private final long[] waiting = new long[PauseFrame.CLASSES];
    private long all;
    /** The classes that are paused in this cycle, a bit each. */
    private int classes;

    PausedQueues(PortPauses pauses, LongSupplier nanoTime) {
        this.pauses = pauses;
        this.nanoTime = nanoTime;
    }

    /** Begins a cycle; the queues that may go on, a bit each. */
    long begin() {
        classes = pauses.any() ? pauses.held(nanoTime.getAsLong()) : 0;
        return all == 0 ? 0 : resume();
    }

    private long resume() {
        long resumed = 0;
        for (int of = 0; of < waiting.length; of++) {
            if ((classes >>> of & 1) == 0) {
                resumed |= waiting[of];
                waiting[of] = 0;
            }
        }
        all &= ~resumed;
        return resumed;
    }

    /** The classes that are paused in this cycle, a bit each. */
    int classes() {
        return classes;
    }

    boolean isPaused(int of) {
        return (classes >>> of & 1) != 0;
    }

    /** The queues that wait, a bit each. */
    long all() {
        return all;
    }

    /** A queue's next frame is of a class that is paused. */
    void add(int slot, int of) {
        waiting[of] |= 1L << slot;
        all |= 1L << slot;
    }

    /** A queue is gone. */
    void forget(int slot) {
        if ((all >>> slot & 1) != 0) {
            all &= ~(1L << slot);
            for (int of = 0; of < waiting.length; of++) {
                waiting[of] &= ~(1L << slot);
            }
        }
    }

    /** How long all of them still have to wait. */
    long restNanos(long now) {
        long rest = DutyCycle.UNTIL_WOKEN;
        for (int of = 0; of < waiting.length; of++) {
            if (waiting[of] != 0) {
                rest = Math.min(rest, pauses.holds(of, now) ? pauses.until(of) - now : 0);
            }
        }
        return rest;
    }
}
