package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.Pieces;
import io.manafold.adapter.internal.queue.QueueMemory;
import io.manafold.gdma.WorkRequest;
import io.manafold.memory.DmaCursor;
import io.manafold.memory.RawMemory;

/**
 * The request at the head of a receive queue, taken apart and checked. Each word is read once. Belongs to the agent.
 */
final class ReceiveWork {
    private final ReceiveQueue queue;
    private final QueueMemory ring;
    private final DmaCursor memory;

    /** Where the frame goes, as far as it needs the pieces. */
    final Pieces target = new Pieces();
    /** Bytes that fit into all pieces. */
    int capacity;
    /** Bytes of the request in its ring. */
    int size;

    ReceiveWork(ReceiveQueue queue, QueueMemory ring, DmaCursor memory) {
        this.queue = queue;
        this.ring = ring;
        this.memory = memory;
    }

    /**
     * Takes the request apart, as far as so many bytes need it.
     *
     * @param available bytes between it and the driver's position
     * @return what is wrong with it, or {@code null}
     */
    ReceiveFault read(int position, int available, int need) {
        long at = ring.at(position);
        if (at == 0) {
            return ReceiveFault.RING_GONE;
        }
        int word1 = RawMemory.get32(at + WorkRequest.WORD1);
        int entries = WorkRequest.pieces(word1);
        if (entries == 0 || entries > WorkRequest.MAX_RECEIVE_PIECES || !WorkRequest.isInlineValid(word1)) {
            return ReceiveFault.SHAPE;
        }
        size = WorkRequest.size(word1);
        if (size > available) {
            return ReceiveFault.BEYOND_DOORBELL;
        }
        int first = WorkRequest.firstPiece(word1);
        return entries == 1 && size == WorkRequest.UNIT ? readPiece(at + first, need)
                : readPieces(at, position, first, entries, need);
    }

    /** One piece behind the short inline part, by far the usual: a request of one unit, which no page border cuts. */
    private ReceiveFault readPiece(long at, int need) {
        long address = RawMemory.get64(at + WorkRequest.PIECE_ADDRESS);
        long rest = RawMemory.get64(at + WorkRequest.PIECE_KEY);
        if (!queue.allows((int) rest)) {
            return ReceiveFault.KEY;
        }
        long room = rest >>> 32;
        int part = (int) Math.min(room, need);
        target.clear();
        if (part > 0 && !target.add(memory, queue.keyed(), address, part, true)) {
            return ReceiveFault.RANGE;
        }
        capacity = (int) Math.min(room, Integer.MAX_VALUE);
        return null;
    }

    private ReceiveFault readPieces(long start, int position, int first, int entries, int need) {
        long at = start + first;
        int offset = position + first;
        target.clear();
        long room = 0;
        int missing = need;
        for (int i = 0; i < entries; i++) {
            if ((offset & QueueMemory.PAGE - 1) == 0) {
                offset &= ring.bytes() - 1;
                at = ring.at(offset);
                if (at == 0) {
                    return ReceiveFault.RING_GONE;
                }
            }
            long address = RawMemory.get64(at + WorkRequest.PIECE_ADDRESS);
            long rest = RawMemory.get64(at + WorkRequest.PIECE_KEY);
            at += WorkRequest.PIECE;
            offset += WorkRequest.PIECE;
            long length = rest >>> 32;
            if (!queue.allows((int) rest)) {
                return ReceiveFault.KEY;
            }
            room += length;
            int part = (int) Math.min(length, missing);
            if (part > 0 && !target.add(memory, queue.keyed(), address, part, true)) {
                return ReceiveFault.RANGE;
            }
            missing -= part;
        }
        capacity = (int) Math.min(room, Integer.MAX_VALUE);
        return null;
    }
}
