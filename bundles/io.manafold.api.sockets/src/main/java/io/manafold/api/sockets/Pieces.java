package io.manafold.api.sockets;

/**
 * Pieces of memory that one send takes one after the other, filled in place again and again. For one thread.
 *
 * <pre>{@code
 * endpoint.send(pieces.clear().add(head.key(), 0, 12).add(body.key(), 4096, 65536), tag);
 * }</pre>
 */
public final class Pieces {
    private final int[] keys;
    private final long[] offsets;
    private final int[] lengths;
    private int count;

    /** @param capacity how many there can be */
    public Pieces(int capacity) {
        keys = new int[capacity];
        offsets = new long[capacity];
        lengths = new int[capacity];
    }

    /** Has none any more. */
    public Pieces clear() {
        count = 0;
        return this;
    }

    /**
     * Has one more.
     *
     * @param offset from the beginning of the region
     */
    public Pieces add(int key, long offset, int length) {
        if (count == keys.length) {
            throw new IndexOutOfBoundsException("there are " + count + " pieces, which is all there can be");
        }
        keys[count] = key;
        offsets[count] = offset;
        lengths[count++] = length;
        return this;
    }

    public int count() {
        return count;
    }

    public int key(int index) {
        return keys[check(index)];
    }

    public long offset(int index) {
        return offsets[check(index)];
    }

    public int length(int index) {
        return lengths[check(index)];
    }

    private int check(int index) {
        if (index >= count) {
            throw new IndexOutOfBoundsException("there are " + count + " pieces, and none at " + index);
        }
        return index;
    }
}
