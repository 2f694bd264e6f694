package io.manafold.api.rdma;

import java.util.Arrays;

/** Receives to be posted with one call, filled in place again and again. For one thread. */
public final class ReceiveList {
    private final Pieces pieces;
    private final long[] ids;
    private int count;
    private int posted;

    /**
     * @param capacity how many receives there can be
     * @param pieceCapacity how many pieces of memory all of them can have together
     */
    public ReceiveList(int capacity, int pieceCapacity) {
        ids = new long[capacity];
        pieces = new Pieces(capacity, pieceCapacity);
    }

    /** As many pieces as receives. */
    public ReceiveList(int capacity) {
        this(capacity, capacity);
    }

    /** Has none any more. */
    public ReceiveList clear() {
        count = 0;
        posted = 0;
        pieces.clear();
        return this;
    }

    /** Has one more receive; pieces follow. */
    public ReceiveList receive(long id) {
        if (count == ids.length) {
            throw new IndexOutOfBoundsException("the list has its " + count + " receives");
        }
        ids[count] = id;
        pieces.begin(count++);
        return this;
    }

    /** The receive that was added last goes on in this memory. */
    public ReceiveList piece(long address, int key, int length) {
        pieces.add(count, address, key, length);
        return this;
    }

    public int count() {
        return count;
    }

    /** How many of them have been posted. */
    public int posted() {
        return posted;
    }

    @Override
    public String toString() {
        return "receives " + Arrays.toString(Arrays.copyOf(ids, count));
    }

    // ---- for drivers

    public long id(int index) {
        return ids[index];
    }

    /** Their pieces of memory. */
    public Pieces pieces() {
        return pieces;
    }

    /** So many more have been posted. */
    public void advance(int more) {
        posted += more;
    }
}
