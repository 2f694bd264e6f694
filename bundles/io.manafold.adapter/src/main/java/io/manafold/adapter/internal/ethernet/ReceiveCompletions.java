package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.CompletionQueue;
import io.manafold.adapter.internal.queue.PendingCompletions;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.memory.RawMemory;

/**
 * The completions of a receive queue. With coalescing up to four frames of the same kind that arrive together share
 * one, or up to eight if the driver takes those. Belongs to the agent.
 */
final class ReceiveCompletions {
    static final int ONE = CompletionEntry.first(ReceiveCompletion.OK, 0);
    private static final int SEVERAL = CompletionEntry.first(ReceiveCompletion.COALESCED, 0);
    private static final int PAIRS = CompletionEntry.first(ReceiveCompletion.COALESCED_8, 0);
    private static final int FENCE = CompletionEntry.first(ReceiveCompletion.FENCE, 0);
    static final int TRUNCATED = CompletionEntry.first(ReceiveCompletion.TRUNCATED, 0);

    private final int receiveQueue;
    private final CompletionQueue queue;

    /** Completions that told of two to eight frames, at index 2 to 8. */
    final long[] coalesced = new long[ReceiveCompletion.MOST_PACKETS + 1];

    ReceiveCompletions(int receiveQueue, CompletionQueue queue) {
        this.receiveQueue = receiveQueue;
        this.queue = queue;
    }

    CompletionQueue queue() {
        return queue;
    }

    /** The first eight bytes of a completion; its length is at 8, its hash at 16, its position at 56. */
    static long first(int first, int flags) {
        return first | (long) flags << 32;
    }

    /**
     * Frames of a batch, in order; answers false if the memory of completions is gone, as all do.
     *
     * @param together how many may share a completion
     */
    boolean received(PendingCompletions frames, int together) {
        if (together == 1) {
            return queue.write(frames, 0, receiveQueue, false);
        }
        int at = 0;
        while (at < frames.count()) {
            int many = alike(frames, at, together);
            boolean there = many > 1 ? shared(frames, at, many, together)
                    : queue.write(frames.first(at), frames.second(at), frames.third(at), frames.word(at), receiveQueue,
                            false);
            if (!there) {
                return false;
            }
            at += many;
        }
        return true;
    }

    /** How many frames from one on can share a completion. */
    private static int alike(PendingCompletions frames, int at, int together) {
        long first = frames.first(at);
        if ((int) first != ONE) {
            return 1;
        }
        int most = Math.min(together, frames.count() - at);
        int many = 1;
        while (many < most && frames.first(at + many) == first) {
            many++;
        }
        return many;
    }

    private boolean shared(PendingCompletions frames, int at, int many, int together) {
        long entry = queue.beginWhole();
        if (entry == 0) {
            return false;
        }
        if (together == ReceiveCompletion.MOST_PACKETS) {
            pairs(entry, frames, at, many);
        } else {
            several(entry, frames, at, many);
        }
        RawMemory.put32(entry + ReceiveCompletion.REQUEST_OFFSET, frames.word(at));
        coalesced[many]++;
        queue.commit(receiveQueue, false);
        return true;
    }

    private static void several(long entry, PendingCompletions frames, int at, int many) {
        // an entry of a packet has twelve bytes, so that two of them share three words
        RawMemory.put64(entry, SEVERAL | frames.first(at) & 0xffff_ffff_0000_0000L);
        RawMemory.put64(entry + 8, frames.second(at));
        RawMemory.put64(entry + 16, frames.third(at) | frames.second(at + 1) << 32);
        RawMemory.put64(entry + 24, frames.third(at + 1) << 32);
        RawMemory.put64(entry + 32, many > 2 ? frames.second(at + 2) : 0);
        RawMemory.put64(entry + 40, (many > 2 ? frames.third(at + 2) : 0) | (many > 3
                ? frames.second(at + 3) << 32 : 0));
        RawMemory.put64(entry + 48, many > 3 ? frames.third(at + 3) << 32 : 0);
    }

    /** Two frames to an entry: both lengths lie between both hashes, and two entries share three words again. */
    private static void pairs(long entry, PendingCompletions frames, int at, int many) {
        RawMemory.put64(entry, PAIRS | frames.first(at) & 0xffff_ffff_0000_0000L);
        for (int k = 0; k < ReceiveCompletion.MOST_PACKETS; k += 4) {
            int next = at + k;
            int rest = many - k;
            long word = entry + ReceiveCompletion.lengthAt(k >> 1);
            RawMemory.put64(word, hash(frames, next, rest > 0) | lengths(frames, next, rest) << 32);
            RawMemory.put64(word + 8, hash(frames, next + 1, rest > 1) | hash(frames, next + 2, rest > 2) << 32);
            RawMemory.put64(word + 16, lengths(frames, next + 2, rest - 2) | hash(frames, next + 3, rest > 3) << 32);
        }
    }

    private static long hash(PendingCompletions frames, int at, boolean there) {
        return there ? frames.third(at) : 0;
    }

    /** Of two frames, or of as many as there are. */
    private static long lengths(PendingCompletions frames, int at, int rest) {
        return (rest > 0 ? frames.second(at) : 0) | (rest > 1 ? frames.second(at + 1) << 16 : 0);
    }

    boolean fence() {
        return queue.write(FENCE, 0, 0, 0, receiveQueue, false);
    }

    /** Tells the driver if it asked for that. */
    void flush() {
        queue.flush();
    }
}
