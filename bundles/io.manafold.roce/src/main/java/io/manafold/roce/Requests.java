package io.manafold.roce;

/**
 * The requests of a requester that are not complete, oldest first, in arrays. Packets are counted from 0 and never go
 * round, so that comparing them needs no care.
 */
final class Requests {
    final int[] operation;
    final int[] length;
    final int[] packets;
    final int[] remoteKey;
    final int[] immediate;
    final boolean[] solicited;
    final boolean[] fence;
    final long[] first;
    final long[] remoteAddress;
    final long[] context;

    private final int mask;
    private int oldest;
    private int sending;
    private int free;

    Requests(int most) {
        if (Integer.bitCount(most) != 1) {
            throw new IllegalArgumentException("requests in flight are a power of two, not " + most);
        }
        mask = most - 1;
        operation = new int[most];
        length = new int[most];
        packets = new int[most];
        remoteKey = new int[most];
        immediate = new int[most];
        solicited = new boolean[most];
        fence = new boolean[most];
        first = new long[most];
        remoteAddress = new long[most];
        context = new long[most];
    }

    void clear() {
        oldest = 0;
        sending = 0;
        free = 0;
    }

    int size() {
        return free - oldest;
    }

    boolean isEmpty() {
        return free == oldest;
    }

    boolean isFull() {
        return size() > mask;
    }

    /** The slot of the next request, which is now one of them. */
    int add() {
        return free++ & mask;
    }

    /** The slot of the oldest one. */
    int oldest() {
        return oldest & mask;
    }

    /** The oldest one is complete. */
    void remove() {
        if (sending == oldest) {
            sending++;
        }
        oldest++;
    }

    boolean hasUnsent() {
        return sending != free;
    }

    /** The slot of the one that is sent next, or being sent. */
    int sending() {
        return sending & mask;
    }

    /** Whether the oldest one was sent whole, since the last time that all began again. */
    boolean isOldestSent() {
        return sending != oldest;
    }

    void sent() {
        sending++;
    }

    void beginAgain() {
        sending = oldest;
    }

    /** The slot of the request that this packet belongs to; it is not acknowledged and has been posted. */
    int of(long packet) {
        int at = oldest;
        while (end(at & mask) <= packet) {
            at++;
        }
        return at & mask;
    }

    /** The first packet behind a request. */
    long end(int slot) {
        return first[slot] + packets[slot];
    }
}
