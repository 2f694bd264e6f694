package io.manafold.testkit;

import io.manafold.gdma.WorkRequest;
import io.manafold.gdma.driver.WorkQueue;

/** The pieces of memory of one request, to be filled anew for the next one. For one thread. */
public final class PieceList {
    private final long[] addresses = new long[WorkRequest.MAX_SEND_PIECES];
    private final int[] keys = new int[WorkRequest.MAX_SEND_PIECES];
    private final int[] lengths = new int[WorkRequest.MAX_SEND_PIECES];
    private int count;

    /** Has none any more. */
    public PieceList clear() {
        count = 0;
        return this;
    }

    /** Has one more. */
    public PieceList add(long address, int key, int length) {
        addresses[count] = address;
        keys[count] = key;
        lengths[count++] = length;
        return this;
    }

    public int count() {
        return count;
    }

    /** Bytes of all pieces. */
    public int total() {
        int total = 0;
        for (int i = 0; i < count; i++) {
            total += lengths[i];
        }
        return total;
    }

    /** Writes them into the request that was begun. */
    void writeTo(WorkQueue queue) {
        for (int i = 0; i < count; i++) {
            queue.piece(i, addresses[i], keys[i], lengths[i]);
        }
    }
}
