package io.manafold.adapter.internal;

import io.manafold.adapter.internal.queue.QueueMemory;
import io.manafold.adapter.internal.queue.Rejections;
import io.manafold.gdma.WorkRequest;
import io.manafold.memory.RawMemory;

/** A work ring of the hardware channel as the adapter reads it. Rung from any thread, read by the control agent. */
final class ChannelRing {
    private final QueueMemory memory;
    private final String name;
    private final Rejections rejections;
    private volatile int produced;
    private volatile int consumed;

    ChannelRing(String name, QueueMemory memory, Rejections rejections) {
        this.name = name;
        this.memory = memory;
        this.rejections = rejections;
    }

    /** The driver has written requests up to here: bytes ever produced, modulo 2^32. */
    void doorbell(int producedBytes) {
        int ahead = producedBytes - consumed;
        if (ahead < 0 || ahead > memory.bytes() || producedBytes % WorkRequest.UNIT != 0) {
            rejections.note(name, new byte[0], "a producer's index is a multiple of 32 and at most one ring ahead of "
                    + "what is consumed", "ring with the number of bytes ever produced", "the doorbell was ignored");
            return;
        }
        produced = producedBytes;
    }

    boolean isEmpty() {
        return produced == consumed;
    }

    /** Where the next request begins, in the ring. */
    int offset() {
        return consumed & memory.bytes() - 1;
    }

    /**
     * Takes the next request: each of its words read once.
     *
     * @param most bytes of the longest request
     * @return its words, or {@code null} if it is malformed or its memory is gone; then the ring is of no use any more
     */
    int[] take(int most) {
        try {
            long head = memory.at(offset());
            if (head == 0) {
                return null;
            }
            int first = RawMemory.get32(head + WorkRequest.WORD0);
            int second = RawMemory.get32(head + WorkRequest.WORD1);
            int size = WorkRequest.size(second);
            int pieces = WorkRequest.pieces(second);
            if (pieces == 0 || !WorkRequest.isInlineValid(second) || size > most || size > produced - consumed) {
                return null;
            }
            int[] words = new int[size / 4];
            words[0] = first;
            words[1] = second;
            for (int i = 2; i < words.length; i++) {
                long at = memory.at(offset() + 4 * i & memory.bytes() - 1);
                if (at == 0) {
                    return null;
                }
                words[i] = RawMemory.get32(at);
            }
            RawMemory.settle();
            consumed += size;
            return words;
        } catch (InternalError gone) { // the file behind the memory was made shorter
            return null;
        }
    }
}
