package io.manafold.testkit;

import io.manafold.gdma.WorkRequest;

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

    long address(int index) {
        return addresses[index];
    }

    int key(int index) {
        return keys[index];
    }

    int length(int index) {
        return lengths[index];
    }
}
