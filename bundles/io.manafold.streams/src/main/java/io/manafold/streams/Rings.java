package io.manafold.streams;

import java.util.Arrays;

/** Arrays that are used as rings: twice as long, with everything where its place says, when they are full. */
final class Rings {
    private Rings() {
    }

    static long[] grown(long[] full, long head) {
        long[] grown = new long[full.length * 2];
        for (long i = head; i < head + full.length; i++) {
            grown[(int) i & grown.length - 1] = full[(int) i & full.length - 1];
        }
        return grown;
    }

    static int[] grown(int[] full, long head) {
        int[] grown = new int[full.length * 2];
        for (long i = head; i < head + full.length; i++) {
            grown[(int) i & grown.length - 1] = full[(int) i & full.length - 1];
        }
        return grown;
    }

    static <T> T[] grown(T[] full, long head) {
        T[] grown = Arrays.copyOf(full, full.length * 2);
        Arrays.fill(grown, null);
        for (long i = head; i < head + full.length; i++) {
            grown[(int) i & grown.length - 1] = full[(int) i & full.length - 1];
        }
        return grown;
    }
}
