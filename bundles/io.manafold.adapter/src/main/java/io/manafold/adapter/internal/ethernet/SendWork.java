package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.Pieces;
import io.manafold.adapter.internal.queue.QueueMemory;
import io.manafold.gdma.SendRequest;
import io.manafold.gdma.WorkRequest;
import io.manafold.memory.RawMemory;
import io.manafold.packet.Segmentation;

/**
 * The request at the head of a send queue, taken apart and checked. Each word is read once; what was read stays with
 * the queue while a large send is paced over several cycles, and only the pointers are made anew in each. Belongs to
 * the agent.
 */
final class SendWork {
    static final int MOST_PAYLOAD = 524_280;
    private static final int PAGE = QueueMemory.PAGE;

    final Pieces pieces = new Pieces();
    final byte[] template = new byte[256];
    final Segmentation segmentation = new Segmentation();
    private final long[] addresses = new long[WorkRequest.MAX_SEND_PIECES];
    private final int[] keys = new int[WorkRequest.MAX_SEND_PIECES];
    private final int[] bytes = new int[WorkRequest.MAX_SEND_PIECES];
    private int entries;

    /** Bytes of the request in its ring. */
    int size;
    int flags;
    /** Where the driver says the transport header is; 0 if it does not. */
    int transportOffset;
    /** The tag to insert as it goes over the wire, or −1. */
    int tag;
    boolean longForm;
    boolean segmented;
    /** Payload of a segment. */
    int segment;
    /** Bytes of headers of a large send. */
    int headerBytes;
    /** The class of its frames, if the link has asked for a pause of any; of a large send always. */
    int pauseClass;
    /** Whether the ring's memory was not there. */
    boolean ringGone;

    /**
     * Takes the request apart.
     *
     * @param available bytes between it and the driver's position
     * @return what is wrong with it, or {@code null}
     */
    SendFault read(SendQueue queue, int available, int vportOffset) {
        QueueMemory ring = queue.ring;
        int position = queue.position();
        long at = ring.at(position);
        size = WorkRequest.UNIT;
        if (at == 0) {
            ringGone = true;
            return SendFault.RANGE;
        }
        long head = RawMemory.get64(at);
        long inline = RawMemory.get64(at + WorkRequest.INLINE);
        int word1 = (int) (head >>> 32);
        flags = (int) inline;
        int place = (int) (inline >>> 32);
        transportOffset = SendRequest.transportOffset(place);
        entries = WorkRequest.pieces(word1);
        if (entries == 0 || entries > WorkRequest.MAX_SEND_PIECES) {
            return SendFault.PIECES;
        }
        if (!WorkRequest.isInlineValid(word1)) {
            return SendFault.INLINE;
        }
        size = WorkRequest.size(word1);
        if (size > available) {
            return SendFault.BEYOND_DOORBELL;
        }
        segmented = WorkRequest.isSegmented(word1);
        segment = WorkRequest.segment(word1);
        headerBytes = WorkRequest.headerBytes((int) head);
        int first = WorkRequest.firstPiece(word1);
        tag = -1;
        longForm = first == WorkRequest.HEAD + WorkRequest.INLINE_LONG;
        SendFault fault = longForm ? longForm(at, place, vportOffset) : shortForm(place, vportOffset);
        SendFault broken = size == WorkRequest.UNIT && entries == 1 ? readPiece(queue, at + first)
                : readPieces(queue, at, position, first);
        if (broken != null) {
            return broken;
        }
        if (fault == null && SendRequest.completionQueue(flags) != queue.completions.id()) {
            return SendFault.COMPLETION_QUEUE;
        }
        if (fault == null && !SendRequest.namesQueue(place, queue.id)) {
            return SendFault.QUEUE_BITS;
        }
        return fault;
    }

    private SendFault shortForm(int place, int vportOffset) {
        if (SendRequest.format(flags) != 0) {
            return SendFault.FORMAT;
        }
        return SendRequest.vportOffset(place) == vportOffset ? null : SendFault.VPORT_OFFSET;
    }

    private SendFault longForm(long at, int place, int vportOffset) {
        long more = RawMemory.get64(at + SendRequest.TAG);
        int word = (int) more;
        if (SendRequest.format(flags) != SendRequest.LONG_FORM) {
            return SendFault.FORMAT;
        }
        if ((word & SendRequest.ENCAPSULATED) != 0) {
            return SendFault.ENCAPSULATED;
        }
        int wide = SendRequest.wideVportOffset((int) (more >>> 32));
        int named = wide != 0 ? wide : SendRequest.vportOffset(place);
        if (named != vportOffset) {
            return SendFault.VPORT_OFFSET;
        }
        if (SendRequest.injectsTag(word)) {
            tag = SendRequest.tagOf(word);
        }
        return null;
    }

    /** One piece behind the short inline part, by far the usual: a request of one unit, which no page border cuts. */
    private SendFault readPiece(SendQueue queue, long at) {
        pieces.clear();
        long address = RawMemory.get64(at + WorkRequest.PIECE_ADDRESS);
        long rest = RawMemory.get64(at + WorkRequest.PIECE_KEY);
        int length = (int) (rest >>> 32);
        if (length == 0) {
            return SendFault.EMPTY_PIECE;
        }
        if (Integer.compareUnsigned(length, MOST_PAYLOAD + 256) > 0) {
            return segmented ? SendFault.SEGMENTATION_LENGTH : SendFault.MTU;
        }
        if (!queue.allows((int) rest)) {
            return SendFault.KEY;
        }
        addresses[0] = address;
        keys[0] = (int) rest;
        bytes[0] = length;
        if (!pieces.add(queue.memory, queue.keyed(), address, length, false)) {
            return pieces.count == Pieces.MOST ? SendFault.SCATTERED : SendFault.RANGE;
        }
        return null;
    }

    private SendFault readPieces(SendQueue queue, long start, int position, int first) {
        pieces.clear();
        long at = start + first;
        int offset = position + first;
        long open = MOST_PAYLOAD + 256L;
        for (int i = 0; i < entries; i++) {
            if ((offset & PAGE - 1) == 0) {
                offset &= queue.mask;
                at = queue.ring.at(offset);
                if (at == 0) {
                    ringGone = true;
                    return SendFault.RANGE;
                }
            }
            long address = RawMemory.get64(at + WorkRequest.PIECE_ADDRESS);
            long rest = RawMemory.get64(at + WorkRequest.PIECE_KEY);
            at += WorkRequest.PIECE;
            offset += WorkRequest.PIECE;
            int length = (int) (rest >>> 32);
            if (length == 0) {
                return SendFault.EMPTY_PIECE;
            }
            open -= Integer.toUnsignedLong(length);
            if (open < 0) {
                return segmented ? SendFault.SEGMENTATION_LENGTH : SendFault.MTU;
            }
            if (!queue.allows((int) rest)) {
                return SendFault.KEY;
            }
            addresses[i] = address;
            keys[i] = (int) rest;
            bytes[i] = length;
            if (!pieces.add(queue.memory, queue.keyed(), address, length, false)) {
                return pieces.count == Pieces.MOST ? SendFault.SCATTERED : SendFault.RANGE;
            }
        }
        return null;
    }

    /** Makes the pointers anew, in a later cycle than that of {@link #read}. */
    boolean refresh(SendQueue queue) {
        pieces.clear();
        for (int i = 0; i < entries; i++) {
            if (!queue.allows(keys[i]) || !pieces.add(queue.memory, queue.keyed(), addresses[i], bytes[i], false)) {
                return false;
            }
        }
        return true;
    }

    /** Bytes of the first entry. */
    int firstEntry() {
        return bytes[0];
    }

    int entries() {
        return entries;
    }

    boolean wants(int flag) {
        return (flags & flag) != 0;
    }
}
