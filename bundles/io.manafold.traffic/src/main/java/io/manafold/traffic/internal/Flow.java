package io.manafold.traffic.internal;

/** What has arrived of one flow, by its packets' numbers; remembers as many as a late one may be late. */
final class Flow {
    private static final int WORDS = 64;
    private static final int WINDOW = WORDS * 64;

    /** How an arrival fits in. */
    enum Fit {
        NEXT, LATE, AGAIN
    }

    private final long[] seen = new long[WORDS];
    private long next;

    Fit arrived(long number) {
        if (number >= next) {
            forget(next, number);
            next = number + 1;
            mark(number);
            return Fit.NEXT;
        }
        if (number < next - WINDOW) {
            return Fit.LATE;
        }
        long bit = 1L << number;
        if ((seen[word(number)] & bit) != 0) {
            return Fit.AGAIN;
        }
        mark(number);
        return Fit.LATE;
    }

    /** One more than the highest number that has arrived. */
    long next() {
        return next;
    }

    private void forget(long from, long to) {
        long first = Math.max(from, to - WINDOW + 1);
        long steps = to - first + 1;
        // counted in steps: a loop up to a number has no end if that is the highest there is
        for (long step = 0; step < steps; step++) {
            seen[word(first + step)] &= ~(1L << first + step);
        }
    }

    private void mark(long number) {
        seen[word(number)] |= 1L << number;
    }

    private static int word(long number) {
        return (int) (number >>> 6) & WORDS - 1;
    }
}
