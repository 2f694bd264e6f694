package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.QueueMemory;
import io.manafold.memory.RawMemory;

/** Finds out whose memory it was that vanished. */
final class MemoryProbe {
    private MemoryProbe() {
    }

    /** Whether the part of a ring that is in use is there: the page of a position and the one behind it. */
    static boolean ring(QueueMemory ring, int position) {
        int page = position & -QueueMemory.PAGE;
        int behind = page + QueueMemory.PAGE < ring.bytes() ? page + QueueMemory.PAGE : 0;
        return page(ring, page) && page(ring, behind);
    }

    private static boolean page(QueueMemory ring, int offset) {
        long at = ring.at(offset);
        return at != 0 && RawMemory.readable(at, QueueMemory.PAGE);
    }
}
