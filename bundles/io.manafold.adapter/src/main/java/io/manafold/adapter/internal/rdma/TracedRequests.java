package io.manafold.adapter.internal.rdma;

/**
 * The last requests of a queue pair, with the times of what has become of each. Words that become known later come later: an entry is
 * copied from its end, so that what it has is never without what came before.
 */
final class TracedRequests {
    /** At least as many as can be under way. */
    static final int MOST = 64;

    static final int DOORBELL = 1;
    static final int TAKEN = 2;
    /** Operation (8 bits), number of the first packet (24), packets (32). */
    static final int PACKETS = 3;
    /** Bytes (32), position in the ring (32). */
    static final int LENGTH = 4;
    static final int REMOTE_ADDRESS = 5;
    static final int REMOTE_KEY = 6;
    /** When the first packet left. */
    static final int FIRST_SENT = 7;
    /** How many have left (24), and for how long they have (40). */
    static final int SENT = 8;
    /** The acknowledgement: its packet number (32), the messages that the peer had completed (32). */
    static final int ANSWER = 9;
    static final int ACKNOWLEDGED = 10;
    static final int TOLD = 11;
    static final int WORDS = 12;

    static final int SPAN_BITS = 40;
    static final long SPAN_MASK = (1L << SPAN_BITS) - 1;
    private static final long ONE_MORE = 1L << SPAN_BITS;

    private final TracedWords words = new TracedWords(MOST, WORDS);

    TracedWords words() {
        return words;
    }

    void begin(long number, long doorbell, long now, int operation, int psn, int packets, int length, int position, long remoteAddress,
            int remoteKey) {
        int at = words.begin(number);
        words.put(at + DOORBELL, doorbell);
        words.put(at + TAKEN, now);
        words.put(at + PACKETS, (long) (operation << 24 | psn) << 32 | packets);
        words.put(at + LENGTH, (long) length << 32 | position & 0xffff_ffffL);
        words.put(at + REMOTE_ADDRESS, remoteAddress);
        words.put(at + REMOTE_KEY, remoteKey);
        words.put(at + FIRST_SENT, 0);
        words.put(at + SENT, 0);
        words.put(at + ACKNOWLEDGED, 0);
        words.put(at + TOLD, 0);
        words.end(at, number);
    }

    void sent(long number, long now) {
        int at = words.at(number);
        if (!words.has(at, number)) {
            return;
        }
        long before = words.get(at + SENT);
        if (before == 0) {
            words.put(at + FIRST_SENT, now);
            words.release(at + SENT, ONE_MORE);
        } else {
            long span = Math.min(now - words.get(at + FIRST_SENT), SPAN_MASK);
            words.put(at + SENT, (before & ~SPAN_MASK) + ONE_MORE | span);
        }
    }

    void acknowledged(long number, long now, int psn, int msn) {
        int at = words.at(number);
        if (words.has(at, number)) {
            words.put(at + ANSWER, (long) psn << 32 | msn);
            words.release(at + ACKNOWLEDGED, now);
        }
    }

    void told(long number, long now) {
        int at = words.at(number);
        if (words.has(at, number)) {
            words.release(at + TOLD, now);
        }
    }
}
