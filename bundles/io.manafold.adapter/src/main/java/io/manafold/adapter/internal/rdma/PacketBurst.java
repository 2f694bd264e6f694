package io.manafold.adapter.internal.rdma;

import io.manafold.api.fabric.Frames;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import io.manafold.roce.Icrc;

/**
 * Packets of one burst, each with room for its CRC at its end, which is written once a link that needs it asks for it.
 */
final class PacketBurst implements FrameBurst.Sealer {
    private static final int MARKS = Frames.ICRC_GOOD | Frames.ICRC_DUE;

    private final FrameBurst frames;
    private final int[] heads;
    private final Icrc icrc = new Icrc();

    PacketBurst(int packets, int pieces) {
        frames = new FrameBurst(packets, packets * pieces, this);
        heads = new int[packets];
    }

    boolean isEmpty() {
        return frames.isEmpty();
    }

    void clear() {
        frames.clear();
    }

    /** Adds a packet that lies in one piece. */
    void addWhole(long address, int head, int length) {
        heads[frames.count()] = head;
        frames.addWhole(MARKS, address, length);
    }

    /** Begins a packet with its headers; pieces of payload follow, then one of padding and room for the CRC. */
    void begin(long address, int head) {
        heads[frames.count()] = head;
        frames.begin(MARKS);
        frames.add(address, head);
    }

    void add(long address, int length) {
        frames.add(address, length);
    }

    FrameBurst frames() {
        return frames;
    }

    @Override
    public void seal(FrameBurst burst, int frame) {
        int head = heads[frame];
        int last = burst.pieces(frame) - 1;
        icrc.begin(burst.address(frame, 0), head);
        for (int piece = 1; piece < last; piece++) {
            icrc.update(burst.address(frame, piece), burst.length(frame, piece));
        }
        int skip = last == 0 ? head : 0;
        long tail = burst.address(frame, last) + skip;
        int length = burst.length(frame, last) - skip - Icrc.BYTES;
        if (length > 0) {
            icrc.update(tail, length);
        }
        RawMemory.put32(tail + length, icrc.value());
    }
}
