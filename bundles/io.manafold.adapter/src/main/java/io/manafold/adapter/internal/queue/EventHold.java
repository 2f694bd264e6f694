package io.manafold.adapter.internal.queue;

import io.manafold.api.agent.DutyCycle;
import java.util.function.LongSupplier;

/**
 * For how long events of a completion queue are held back. A queue's event waits until a time has passed since the
 * event before, or as many completions are there as were named; without a time none waits, since nothing would end the
 * wait of a lone completion. Guarded by the queue.
 */
public final class EventHold {
    private static final long MICROS = 1000;

    private final LongSupplier nanoTime;
    private final Runnable begun;
    private long nanos;
    private int frames;
    private long last;
    private boolean holding;
    private long held;

    /** @param begun is told of an event that is held back from then on, once until the queue is asked to release it */
    public EventHold(LongSupplier nanoTime, Runnable begun) {
        this.nanoTime = nanoTime;
        this.begun = begun;
    }

    /** The other thread that runs the queue's time is to ask for the event's release. */
    void tell() {
        begun.run();
    }

    /** Either stays as it is if it is negative. */
    void set(int micros, int most) {
        if (micros >= 0) {
            if (nanos == 0) {
                last = nanoTime.getAsLong() - micros * MICROS;
            }
            nanos = micros * MICROS;
        }
        if (most >= 0) {
            frames = most;
        }
        holding = false;
    }

    /** Whether an event of so many completions has to wait; if not, it is sent now. */
    boolean holds(int pending) {
        if (nanos == 0) {
            return false;
        }
        boolean enough = frames > 0 && pending >= frames;
        if (!enough && holding) {
            // the agent that releases it looks at the clock
            return true;
        }
        long now = nanoTime.getAsLong();
        if (!enough && now - last < nanos) {
            return true;
        }
        sent(now);
        return false;
    }

    /** Whether the wait is news. */
    boolean begins() {
        if (holding) {
            return false;
        }
        holding = true;
        held++;
        return true;
    }

    /** How long an event has to wait still; 0 if it is sent now. */
    long rest(long now) {
        long rest = nanos == 0 ? 0 : last + nanos - now;
        holding = rest > 0;
        if (!holding) {
            sent(now);
        }
        return Math.max(0, rest);
    }

    /** There is nothing to wait with. */
    long none() {
        holding = false;
        return DutyCycle.UNTIL_WOKEN;
    }

    private void sent(long now) {
        last = now;
        holding = false;
    }

    int micros() {
        return (int) (nanos / MICROS);
    }

    int frames() {
        return frames;
    }

    long held() {
        return held;
    }
}
