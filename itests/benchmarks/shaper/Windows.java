package io.manafold.benchmark;

import java.util.Arrays;

/** Bytes by the millisecond of their arrival, and from the first frame to the last. */
final class Windows {
    private static final long WINDOW = 1_000_000;

    private long begin;
    private long[] bytes = {};
    private long first;
    private long last;
    private long later;
    private int frames;

    void begin(long at, long nanos) {
        begin = at;
        bytes = new long[(int) (nanos / WINDOW)];
        later = 0;
        frames = 0;
    }

    /** Whether it still counts. */
    boolean add(long now, int length) {
        int window = (int) ((now - begin) / WINDOW);
        if (now < begin || window >= bytes.length) {
            return false;
        }
        bytes[window] += length;
        if (frames++ == 0) {
            first = now;
        } else {
            later += length;
        }
        last = now;
        return true;
    }

    /** Bits per second between the first frame and the last. */
    double rate() {
        return later * 8e9 / (last - first);
    }

    private double mean() {
        return Arrays.stream(bytes).average().orElse(Double.NaN);
    }

    /** Standard deviation by mean. */
    double variation() {
        double mean = mean();
        return Math.sqrt(Arrays.stream(bytes).mapToDouble(one -> (one - mean) * (one - mean)).average().orElse(0))
                / mean;
    }

    /** The fullest by the mean. */
    double peak() {
        return Arrays.stream(bytes).max().orElse(0) / mean();
    }
}
