package io.manafold.roce;

/**
 * The READs that a responder still has to answer, in the order of their packets' numbers. It never grows: a READ that
 * comes again takes the place of itself, and one that is answered already gives way to a new one.
 */
final class ReadQueue {
    private final int[] psn;
    private final int[] packets;
    private final int[] length;
    private final int[] key;
    private final int[] done;
    private final long[] address;
    private final boolean[] repeated;
    private int size;
    private int most;
    private int news;

    ReadQueue(int most) {
        int places = Math.max(most, 1);
        psn = new int[places];
        packets = new int[places];
        length = new int[places];
        key = new int[places];
        done = new int[places];
        address = new long[places];
        repeated = new boolean[places];
    }

    void clear(int mostReads) {
        size = 0;
        news = 0;
        most = Math.min(Math.max(mostReads, 0), psn.length);
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Whether a READ that was never asked for is one too many. */
    boolean isFull() {
        return news >= most;
    }

    /** Adds a READ that was never asked for; the queue is not full. */
    void add(Packet request, int count) {
        if (size == most) {
            removeFirstRepeated();
        }
        put(size, request, count, false);
        size++;
        news++;
    }

    /**
     * Adds a READ that was asked for before, whole or not; it is forgotten if there is no room, and its requester will
     * ask again.
     */
    void addAgain(Packet request, int count) {
        int end = Psn.add(request.psn, count);
        int place = 0;
        while (place < size && Psn.isBefore(Psn.add(psn[place], packets[place]), end)) {
            place++;
        }
        if (place < size && Psn.add(psn[place], packets[place]) == end) {
            put(place, request, count, repeated[place]);
        } else if (size < most) {
            for (int i = size; i > place; i--) {
                move(i - 1, i);
            }
            size++;
            put(place, request, count, true);
        }
    }

    private void put(int place, Packet request, int count, boolean again) {
        psn[place] = request.psn;
        packets[place] = count;
        length[place] = request.dmaLength;
        key[place] = request.remoteKey;
        address[place] = request.remoteAddress;
        done[place] = 0;
        repeated[place] = again;
    }

    private void move(int from, int to) {
        psn[to] = psn[from];
        packets[to] = packets[from];
        length[to] = length[from];
        key[to] = key[from];
        address[to] = address[from];
        done[to] = done[from];
        repeated[to] = repeated[from];
    }

    private void removeFirstRepeated() {
        int place = 0;
        while (!repeated[place]) {
            place++;
        }
        remove(place);
    }

    private void remove(int place) {
        if (!repeated[place]) {
            news--;
        }
        size--;
        for (int i = place; i < size; i++) {
            move(i + 1, i);
        }
    }

    /** All that begin or go on at this number or later are not answered any more. */
    void cutAt(int number) {
        while (size > 0 && !Psn.isBefore(Psn.add(psn[size - 1], packets[size - 1] - 1), number)) {
            remove(size - 1);
        }
    }

    long address(int mtu) {
        return address[0] + (long) done[0] * mtu;
    }

    int key() {
        return key[0];
    }

    /** The next packet of the oldest one's answer; after the last one the next READ is the oldest. */
    void answer(Packet packet, int mtu) {
        int index = done[0]++;
        boolean first = index == 0;
        boolean last = index == packets[0] - 1;
        packet.psn = Psn.add(psn[0], index);
        packet.payloadBytes = last ? length[0] - index * mtu : mtu;
        if (last) {
            packet.opcode = first ? Opcode.READ_RESPONSE_ONLY : Opcode.READ_RESPONSE_LAST;
            remove(0);
        } else {
            packet.opcode = first ? Opcode.READ_RESPONSE_FIRST : Opcode.READ_RESPONSE_MIDDLE;
        }
    }
}
