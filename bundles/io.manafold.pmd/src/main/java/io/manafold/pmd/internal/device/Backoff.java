package io.manafold.pmd.internal.device;

import java.util.concurrent.TimeUnit;

/**
 * How long something that has failed is left alone: not at all if it ran for longer than the last time, else until a
 * time has passed since it was begun again, which doubles.
 */
final class Backoff {
    static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(1);
    static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** What is to pass before it is begun again; 0 if it has not failed yet. */
    private long nanos;
    /** When it was begun again, or will be. */
    private long begun;

    /** It has failed. Returns the time in which it is not begun again. */
    long failed(long now) {
        long passed = now - begun;
        if (nanos == 0 || passed > nanos) {
            nanos = FIRST_NANOS;
            begun = now;
            return 0;
        }
        long left = nanos - passed;
        begun = now + left;
        nanos = Math.min(2 * nanos, LONGEST_NANOS);
        return left;
    }

    /** Whether it may be begun. */
    boolean isOver(long now) {
        return nanos == 0 || now - begun >= 0;
    }

    /** As if it had never failed. */
    void clear() {
        nanos = 0;
    }
}
