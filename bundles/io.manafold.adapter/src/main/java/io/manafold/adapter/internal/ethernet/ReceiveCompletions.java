package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.CompletionQueue;
import io.manafold.gdma.CompletionEntry;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.memory.RawMemory;

/**
 * The completions of a receive queue. With coalescing up to four frames of the same kind wait for each other, at most
 * until their burst ends. Belongs to the agent.
 */
final class ReceiveCompletions {
    private static final int ONE = CompletionEntry.first(ReceiveCompletion.OK, 0);
    private static final int SEVERAL = CompletionEntry.first(ReceiveCompletion.COALESCED, 0);
    private static final int FENCE = CompletionEntry.first(ReceiveCompletion.FENCE, 0);
    private static final int TRUNCATED = CompletionEntry.first(ReceiveCompletion.TRUNCATED, 0);

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

    /** All answer false if the memory of completions is gone. */
    boolean received(int length, int flags, int hash, int position, boolean coalesce) {
        if (!coalesce) {
            return one(length, flags, hash, position);
        }
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

    private boolean one(int length, int flags, int hash, int position) {
        if (waiting != 0 && !write()) {
            return false;
        }
        // the length is at 8, the hash at 16, the position at 56
        return queue.write(ONE | (long) flags << 32, length, hash & 0xffff_ffffL, position, receiveQueue, false);
    }

    boolean truncated(int length, int flags, int position) {
        return write() && bare(TRUNCATED, flags, length, position);
    }

    boolean fence() {
        return write() && bare(FENCE, 0, 0, 0);
    }

    private boolean bare(int first, int flags, int length, int position) {
        long entry = queue.begin();
        if (entry == 0) {
            return false;
        }
        RawMemory.put32(entry, first);
        RawMemory.put32(entry + ReceiveCompletion.FLAGS, flags);
        RawMemory.put16(entry + ReceiveCompletion.lengthAt(0), Math.min(length, 0xffff));
        RawMemory.put32(entry + ReceiveCompletion.REQUEST_OFFSET, position);
        queue.commit(receiveQueue, false);
        return true;
    }

    /** Writes what waits. */
    boolean write() {
        int packets = waiting;
        waiting = 0;
        if (packets == 0) {
            return true;
        }
        if (packets == 1) {
            return one(lengths[0], waitingFlags, hashes[0], waitingPosition);
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
