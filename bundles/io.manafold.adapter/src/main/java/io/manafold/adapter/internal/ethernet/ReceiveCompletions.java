package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.CompletionQueue;
import io.manafold.adapter.internal.queue.PendingCompletions;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.memory.RawMemory;

/**
 * The completions of a receive queue. With coalescing up to four frames of the same kind wait for each other, at most
 * until their burst ends. Belongs to the agent.
 */
final class ReceiveCompletions {
    static final int ONE = CompletionEntry.first(ReceiveCompletion.OK, 0);
    private static final int SEVERAL = CompletionEntry.first(ReceiveCompletion.COALESCED, 0);
    private static final int FENCE = CompletionEntry.first(ReceiveCompletion.FENCE, 0);
    static final int TRUNCATED = CompletionEntry.first(ReceiveCompletion.TRUNCATED, 0);

    private final int receiveQueue;
    private final CompletionQueue queue;
    private final int[] lengths = new int[ReceiveCompletion.MAX_PACKETS];
    private final int[] hashes = new int[ReceiveCompletion.MAX_PACKETS];
    private int waiting;
    private int waitingFlags;
    private int waitingPosition;

    /** Completions that told of two, three and four frames, at index 2 to 4. */
    final long[] coalesced = new long[ReceiveCompletion.MAX_PACKETS + 1];

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

    /** Frames of a batch, in order; answers false if the memory of completions is gone, as all do. */
    boolean received(PendingCompletions frames, boolean coalesce) {
        if (!coalesce) {
            return write() && queue.write(frames, 0, receiveQueue, false);
        }
        for (int i = 0; i < frames.count(); i++) {
            long first = frames.first(i);
            boolean there = (int) first == ONE
                    ? coalesced((int) frames.second(i), (int) (first >>> 32), (int) frames.third(i), frames.word(i))
                    : write() && queue.write(first, frames.second(i), 0, frames.word(i), receiveQueue, false);
            if (!there) {
                return false;
            }
        }
        return true;
    }

    private boolean coalesced(int length, int flags, int hash, int position) {
        if (waiting != 0 && flags != waitingFlags && !write()) {
            return false;
        }
        if (waiting == 0) {
            waitingFlags = flags;
            waitingPosition = position;
        }
        lengths[waiting] = length;
        hashes[waiting++] = hash;
        return waiting < ReceiveCompletion.MAX_PACKETS || write();
    }

    boolean fence() {
        return write() && queue.write(FENCE, 0, 0, 0, receiveQueue, false);
    }

    /** Writes what waits. */
    boolean write() {
        int packets = waiting;
        waiting = 0;
        if (packets == 0) {
            return true;
        }
        if (packets == 1) {
            return queue.write(first(ONE, waitingFlags), lengths[0], hashes[0] & 0xffff_ffffL, waitingPosition,
                    receiveQueue, false);
        }
        long entry = queue.begin();
        if (entry == 0) {
            return false;
        }
        RawMemory.put64(entry, SEVERAL | (long) waitingFlags << 32);
        for (int k = 0; k < packets; k++) {
            RawMemory.put32(entry + ReceiveCompletion.lengthAt(k), lengths[k]);
            RawMemory.put32(entry + ReceiveCompletion.hashAt(k), hashes[k]);
        }
        RawMemory.put32(entry + ReceiveCompletion.REQUEST_OFFSET, waitingPosition);
        coalesced[packets]++;
        queue.commit(receiveQueue, false);
        return true;
    }

    /** Writes what waits, then tells the driver if it asked for that. What vanished memory raises comes out of here. */
    boolean flush() {
        boolean there = write();
        RawMemory.settle();
        queue.flush();
        return there;
    }
}
