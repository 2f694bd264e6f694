package io.manafold.roce;

/**
 * The requests of a requester that are not complete, oldest first, in arrays. Packets are counted from 0 and never go
 * round, so that comparing them needs no care.
 */
final class Requests {
    private static final int[] LAST = {Opcode.SEND_LAST, Opcode.SEND_LAST_IMMEDIATE, Opcode.SEND_LAST_INVALIDATE,
            Opcode.WRITE_LAST, Opcode.WRITE_LAST_IMMEDIATE};
    private static final int[] ONLY = {Opcode.SEND_ONLY, Opcode.SEND_ONLY_IMMEDIATE, Opcode.SEND_ONLY_INVALIDATE,
            Opcode.WRITE_ONLY, Opcode.WRITE_ONLY_IMMEDIATE};

    private final int[] operation;
    private final int[] length;
    private final int[] packets;
    private final int[] remoteKey;
    private final int[] immediate;
    private final boolean[] solicited;
    final boolean[] fence;
    final long[] first;
    private final long[] remoteAddress;
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

    void add(long firstPacket, int operation, int length, int mtu, boolean solicited, boolean fence, long remoteAddress,
            int remoteKey, int immediate, long context) {
        int slot = free++ & mask;
        first[slot] = firstPacket;
        this.operation[slot] = operation;
        this.length[slot] = length;
        packets[slot] = Psn.packets(length, mtu);
        this.solicited[slot] = solicited;
        this.fence[slot] = fence;
        this.remoteAddress[slot] = remoteAddress;
        this.remoteKey[slot] = remoteKey;
        this.immediate[slot] = immediate;
        this.context[slot] = context;
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

    /** How many are older than the one that is being sent. */
    int place() {
        return sending - oldest;
    }

    /** Whether the oldest one was sent whole, since the last time that all began again. */
    boolean isOldestSent() {
        return sending != oldest;
    }

    void sent() {
        sending++;
    }

    /** The one that was sent last was not. */
    void unsent() {
        sending--;
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

    boolean isRead(int slot) {
        return operation[slot] == Operation.READ;
    }

    int length(int slot) {
        return length[slot];
    }

    long remoteAddress(int slot) {
        return remoteAddress[slot];
    }

    int remoteKey(int slot) {
        return remoteKey[slot];
    }

    boolean isLast(int slot, int index) {
        return index == packets[slot] - 1;
    }

    /** Bytes of a packet of the message. */
    int bytes(int slot, int index, int mtu) {
        return isLast(slot, index) ? length[slot] - index * mtu : mtu;
    }

    /** The request of a READ for all from this place on. */
    void fillRead(int slot, int offset, Packet packet) {
        packet.opcode = Opcode.READ_REQUEST;
        packet.solicited = false;
        packet.acknowledgeRequest = false;
        packet.payloadBytes = 0;
        packet.remoteAddress = remoteAddress[slot] + offset;
        packet.remoteKey = remoteKey[slot];
        packet.dmaLength = length[slot] - offset;
    }

    /** A packet of a SEND or WRITE. */
    void fill(int slot, int index, int mtu, Packet packet) {
        int kind = operation[slot];
        boolean write = kind >= Operation.WRITE;
        boolean last = isLast(slot, index);
        if (last) {
            packet.opcode = index == 0 ? ONLY[kind] : LAST[kind];
        } else if (index == 0) {
            packet.opcode = write ? Opcode.WRITE_FIRST : Opcode.SEND_FIRST;
        } else {
            packet.opcode = write ? Opcode.WRITE_MIDDLE : Opcode.SEND_MIDDLE;
        }
        packet.solicited = last && solicited[slot];
        packet.acknowledgeRequest = last;
        packet.payloadBytes = bytes(slot, index, mtu);
        packet.remoteAddress = remoteAddress[slot];
        packet.remoteKey = remoteKey[slot];
        packet.dmaLength = length[slot];
        packet.immediate = immediate[slot];
        packet.invalidatedKey = immediate[slot];
    }
}
