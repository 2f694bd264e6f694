package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.CompletionQueue;
import io.manafold.adapter.internal.queue.EventHold;
import io.manafold.api.agent.DutyCycle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongSupplier;

/**
 * Completion queues of one direction of a port whose events are held back: the port's agent sends those when their time
 * has come. Any thread may add one; all else belongs to the agent.
 */
final class HeldEvents {
    private static final VarHandle FRESH;

    static {
        try {
            FRESH = MethodHandles.lookup().findVarHandle(HeldEvents.class, "fresh", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final CompletionQueue[] queues;
    private final LongSupplier nanoTime;
    private final Runnable wake;
    /** A bit for each queue that has begun to wait since the agent looked. */
    private long fresh;
    /** A bit for each whose time is known. */
    private long waiting;
    /** When the first of those is due. */
    private long due;

    /** @param wake has the agent look */
    HeldEvents(int most, LongSupplier nanoTime, Runnable wake) {
        queues = new CompletionQueue[most];
        this.nanoTime = nanoTime;
        this.wake = wake;
    }

    /** Events of a queue may be held back. */
    void take(int slot, CompletionQueue queue) {
        queues[slot] = queue;
        long bit = 1L << slot;
        queue.holdBy(new EventHold(nanoTime, () -> begun(bit)));
    }

    /** What the queue has held back is not sent; the next one in its place has nothing to do with it. */
    void forget(int slot) {
        long bit = 1L << slot;
        queues[slot] = null;
        waiting &= ~bit;
        FRESH.getAndBitwiseAnd(this, ~bit);
    }

    private void begun(long bit) {
        if (((long) FRESH.getAndBitwiseOr(this, bit) & bit) == 0) {
            wake.run();
        }
    }

    private boolean isNews() {
        return (long) FRESH.getAcquire(this) != 0;
    }

    /** Sends what is due; returns how many queues were looked at. */
    int work() {
        boolean news = isNews();
        if (!news && waiting == 0) {
            return 0;
        }
        long now = nanoTime.getAsLong();
        return news || now - due >= 0 ? release(now) : 0;
    }

    private int release(long now) {
        long open = waiting | (long) FRESH.getAndSet(this, 0L);
        int looked = Long.bitCount(open);
        long least = DutyCycle.UNTIL_WOKEN;
        long still = 0;
        for (; open != 0; open &= open - 1) {
            int slot = Long.numberOfTrailingZeros(open);
            CompletionQueue queue = queues[slot];
            long rest = queue == null ? DutyCycle.UNTIL_WOKEN : queue.release(now);
            if (rest != DutyCycle.UNTIL_WOKEN) {
                still |= 1L << slot;
                least = Math.min(least, rest);
            }
        }
        waiting = still;
        due = still == 0 ? 0 : now + least;
        return looked;
    }

    long restNanos() {
        if (isNews()) {
            return 0;
        }
        return waiting == 0 ? DutyCycle.UNTIL_WOKEN : Math.max(0, due - nanoTime.getAsLong());
    }
}
