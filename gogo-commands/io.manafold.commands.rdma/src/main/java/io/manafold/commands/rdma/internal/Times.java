package io.manafold.commands.rdma.internal;

import java.util.Arrays;

/**
 * When messages were posted and completed, and how many were completed within the time that counts. Nothing is
 * allocated meanwhile.
 */
final class Times {
    private final long[] posted;
    private final long[] completed;
    private long first;
    private long last;
    private long opened;
    private long closed;
    private long before;
    private long within;

    /** @param kept of how many messages the time is kept */
    Times(int kept) {
        posted = new long[kept];
        completed = new long[kept];
    }

    /** @param index of the message, from 0 */
    void posted(long index) {
        long now = System.nanoTime();
        if (index == 0) {
            first = now;
        }
        if (index < posted.length) {
            posted[(int) index] = now;
        }
    }

    /** @param count of messages that have been completed by now */
    void completed(long count) {
        last = System.nanoTime();
        if (count > 0 && count <= completed.length) {
            completed[(int) count - 1] = last;
        }
    }

    /** What is completed from now on counts. */
    void open(long count) {
        opened = System.nanoTime();
        before = count;
    }

    /** Nothing counts any more. */
    void close(long count) {
        closed = System.nanoTime();
        within = count - before;
    }

    /** How many messages count, of a measurement that has a time. */
    long within() {
        return within;
    }

    /** How long they took. */
    double withinSeconds() {
        return Math.max(1, closed - opened) / 1e9;
    }

    /** From the first message to the last. */
    double seconds() {
        return Math.max(1, last - first) / 1e9;
    }

    /** Nanoseconds of the fastest message in any row of them; 0 if the times were not kept. */
    double fastest() {
        double fastest = posted.length == 0 ? 0 : Math.max(1, last - first);
        for (int i = 0; i < posted.length; i++) {
            for (int j = i; j < completed.length && posted[i] != 0; j++) {
                if (completed[j] != 0) {
                    fastest = Math.min(fastest, (completed[j] - posted[i]) / (double) (j - i + 1));
                }
            }
        }
        return Math.max(fastest, posted.length == 0 ? 0 : 1);
    }

    /** Nanoseconds from each post to the next, from the shortest on. */
    long[] rounds() {
        long[] rounds = new long[posted.length - 1];
        for (int i = 0; i < rounds.length; i++) {
            rounds[i] = posted[i + 1] - posted[i];
        }
        Arrays.sort(rounds);
        return rounds;
    }
}
