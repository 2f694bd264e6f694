package io.manafold.benchmark;

import java.util.Arrays;

/**
 * Half of the median of how long messages took there and back, in which a thread that had to wait for a processor does
 * not show.
 */
final class HalfTrips {
    private static final int MOST = 1 << 21;

    private final int[] times = new int[MOST];
    private int count;
    private long now;
    private boolean sorted;
    private double median;

    /** The first one begins. */
    long begin() {
        count = 0;
        now = System.nanoTime();
        return now;
    }

    /** When the current one has begun. */
    long now() {
        return now;
    }

    boolean isFull() {
        return count == MOST;
    }

    /** One has come back, and the next one begins. */
    void end() {
        long after = System.nanoTime();
        times[count++] = (int) Math.min(after - now, Integer.MAX_VALUE);
        now = after;
    }

    /** It was the last one. To sort them takes memory, and is not what is measured. */
    void close() {
        sorted = false;
    }

    int count() {
        return count;
    }

    double median() {
        if (!sorted) {
            Arrays.sort(times, 0, count);
            sorted = true;
            median = times[count / 2] / 2.0;
        }
        return median;
    }
}
