package io.manafold.ethernet.internal.function;

import java.util.function.LongSupplier;

/**
 * How often something may be done that others ask for as often as they like: a few times at once, then once a second.
 * With the lock of its owner held.
 */
final class RateLimiter {
    private static final long SECOND = 1_000_000_000L;
    private static final int AT_ONCE = 8;

    private final LongSupplier nanoTime;
    private long counted;
    private int left = AT_ONCE;

    RateLimiter(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        counted = nanoTime.getAsLong();
    }

    boolean take() {
        long seconds = (nanoTime.getAsLong() - counted) / SECOND;
        counted += seconds * SECOND;
        left = (int) Math.min(AT_ONCE, left + seconds);
        if (left == 0) {
            return false;
        }
        left--;
        return true;
    }
}
