package io.manafold.api.rdma;

/** The pieces of memory of all requests of a list, in arrays. For drivers. */
public final class Pieces {
    private final int[] first;
    private final long[] addresses;
    private final int[] keys;
    private final int[] lengths;
    private int count;

    Pieces(int requests, int capacity) {
        first = new int[requests + 1];
        addresses = new long[capacity];
        keys = new int[capacity];
        lengths = new int[capacity];
    }

    void clear() {
        count = 0;
        first[0] = 0;
    }

    void begin(int request) {
        first[request] = count;
        first[request + 1] = count;
    }

    void add(int requests, long address, int key, int length) {
        if (requests == 0) {
            throw new IllegalStateException("a piece of memory belongs to a request, and the list has none");
        }
        if (count == keys.length) {
            throw new IndexOutOfBoundsException("the list has its " + count + " pieces");
        }
        addresses[count] = address;
        keys[count] = key;
        lengths[count++] = length;
        first[requests] = count;
    }

    /** Where the pieces of a request begin; those of the next one end them. */
    public int first(int request) {
        return first[request];
    }

    /** How many a request has. */
    public int count(int request) {
        return first[request + 1] - first[request];
    }

    /** Bytes of all pieces of a request; −1 if one has less than none. */
    public long total(int request) {
        long total = 0;
        for (int i = first[request]; i < first[request + 1]; i++) {
            if (lengths[i] < 0) {
                return -1;
            }
            total += lengths[i];
        }
        return total;
    }

    public long address(int piece) {
        return addresses[piece];
    }

    public int key(int piece) {
        return keys[piece];
    }

    public int length(int piece) {
        return lengths[piece];
    }
}
