package io.manafold.adapter.internal.rdma;

import io.manafold.api.fabric.Frames;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import io.manafold.roce.Icrc;

/** Packets of one burst, each with room for its CRC at its end, which {@link #sealed} writes into all at once. */
final class PacketBurst {
    private final FrameBurst frames;
    private final int[] heads;

    PacketBurst(int packets, int pieces) {
        frames = new FrameBurst(packets, packets * pieces);
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
        frames.addWhole(Frames.ICRC_GOOD, address, length);
    }

    /** Begins a packet with its headers; pieces of payload follow, then one of padding and room for the CRC. */
    void begin(long address, int head) {
        heads[frames.count()] = head;
        frames.begin(Frames.ICRC_GOOD);
        frames.add(address, head);
    }

    void add(long address, int length) {
        frames.add(address, length);
    }

    /**
     * The packets with their CRCs. They are not computed one by one while headers are being written: loads of words
     * whose parts are still on their way to the cache would wait.
     */
    FrameBurst sealed(Icrc icrc) {
        for (int frame = 0; frame < frames.count(); frame++) {
            int head = heads[frame];
            int last = frames.pieces(frame) - 1;
            icrc.begin(frames.address(frame, 0), head);
            for (int piece = 1; piece < last; piece++) {
                icrc.update(frames.address(frame, piece), frames.length(frame, piece));
            }
            int skip = last == 0 ? head : 0;
            long tail = frames.address(frame, last) + skip;
            int length = frames.length(frame, last) - skip - Icrc.BYTES;
            if (length > 0) {
                icrc.update(tail, length);
            }
            RawMemory.put32(tail + length, icrc.value());
        }
        return frames;
    }
}
