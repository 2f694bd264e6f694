package io.manafold.adapter.internal.rdma;

/** The last requests of a queue pair. Words are few: each costs every request a store. */
final class TracedRequests {
    /** At least as many as can be under way. */
    static final int MOST = 64;

    static final int DOORBELL = 1;
    static final int TAKEN = 2;
    /** Operation (8 bits), number of the first packet (24), packets (32). */
    static final int PACKETS = 3;
    /** Bytes (32), position in the ring (32). */
    static final int LENGTH = 4;
    /**
     * When the first packet left; only said if there was a second. Before {@link #SENT}, so that it is there when that
     * says so.
     */
    static final int FIRST_SENT = 5;
    /** How many have left (24), and how long after the request was taken the last of them has (40). */
    static final int SENT = 6;
    static final int WORDS = 8;

    static final int SPAN_BITS = 40;
    static final long SPAN_MASK = (1L << SPAN_BITS) - 1;
    private static final long ONE_MORE = 1L << SPAN_BITS;

    private final TracedWords words = new TracedWords(MOST, WORDS);

    TracedWords words() {
        return words;
    }

    void begin(long number, long doorbell, long now, int operation, int psn, int packets, int length, int position) {
        int at = words.begin(number);
        words.put(at + DOORBELL, doorbell);
        words.put(at + TAKEN, now);
        words.put(at + PACKETS, (long) (operation << 24 | psn) << 32 | packets);
        words.put(at + LENGTH, (long) length << 32 | position & 0xffff_ffffL);
        words.put(at + SENT, 0);
        words.end(at, number);
    }

    void sent(long number, long now) {
        int at = words.at(number);
        if (!words.has(at, number)) {
            return;
        }
        long before = words.get(at + SENT);
        long taken = words.get(at + TAKEN);
        if (before >>> SPAN_BITS == 1) {
            words.put(at + FIRST_SENT, taken + (before & SPAN_MASK));
        }
        words.release(at + SENT, (before & ~SPAN_MASK) + ONE_MORE | Math.min(now - taken, SPAN_MASK));
    }

    static int sent(long[] copied) {
        return (int) (copied[SENT] >>> SPAN_BITS);
    }

    /** When the last packet left that had not left before. */
    static long lastSent(long[] copied) {
        return copied[TAKEN] + (copied[SENT] & SPAN_MASK);
    }

    static long firstSent(long[] copied) {
        return sent(copied) == 1 ? lastSent(copied) : copied[FIRST_SENT];
    }
}
