package io.manafold.benchmark;

import java.util.Arrays;

/** Bytes by the millisecond of their arrival, and from the first frame to the last. */
final class Windows {
    private static final long WINDOW = 1_000_000;

    private long begin;
    private long[] bytes = {};
    private long first;
    private long last;
    private long sum;
    private int newest;

    void begin(long at, long nanos) {
        begin = at;
        bytes = new long[(int) (nanos / WINDOW)];
        sum = 0;
    }

    /** Whether it still counts. */
    boolean add(long now, int length) {
        int window = (int) ((now - begin) / WINDOW);
        if (now < begin || window >= bytes.length) {
            return false;
        }
        if (sum == 0) {
            first = now;
        }
        bytes[window] += length;
        sum += length;
        newest = length;
        last = now;
        return true;
    }

    /** Bits per second from the first frame to the last, which is not counted: its time begins there. */
    double rate() {
        return (sum - newest) * 8e9 / (last - first);
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

    /** Bits per second in the fullest. */
    double peak() {
        return Arrays.stream(bytes).max().orElse(0) * 8e9 / WINDOW;
    }
}
