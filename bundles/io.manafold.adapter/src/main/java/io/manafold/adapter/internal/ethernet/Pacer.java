package io.manafold.adapter.internal.ethernet;

/**
 * Holds frames back so that a rate is kept: each departure is on a schedule of absolute times, which stays exact over
 * any length of time. After a pause the schedule starts anew; an agent that came late catches up, but not without
 * bound.
 */
final class Pacer {
    private static final long NANO_BITS = 8_000_000_000L;
    private static final long MOST_CATCH_UP_NANOS = 5_000_000;

    /** Bits per second, 0 for no limit. */
    private long rate;
    /** When the next frame may leave. */
    private long due;
    /** What the division left over: fractions of a nanosecond, times the rate. */
    private long rest;
    private boolean idle = true;
    /** Whether the schedule of a rate has not begun yet. */
    private boolean fresh = true;

    /** Sets the rate; 0 takes the limit away. */
    void limit(long bitsPerSecond) {
        rate = bitsPerSecond;
        rest = 0;
        fresh = true;
    }

    boolean limits() {
        return rate != 0;
    }

    /** There is work; called before {@link #holds} in each cycle. */
    void busy(long now) {
        long earliest = idle ? now : now - MOST_CATCH_UP_NANOS;
        if (fresh || due - earliest < 0) {
            due = fresh ? now : earliest;
        }
        fresh = false;
        idle = false;
    }

    /** There is nothing to send: time that goes by unused is not made up for. */
    void idle() {
        idle = true;
    }

    /** Whether the next frame has to wait. */
    boolean holds(long now) {
        return due - now > 0;
    }

    long due() {
        return due;
    }

    /** A frame leaves. */
    void sent(int bytes) {
        long cost = bytes * NANO_BITS + rest;
        long nanos = cost / rate;
        rest = cost - nanos * rate;
        due += nanos;
    }
}
