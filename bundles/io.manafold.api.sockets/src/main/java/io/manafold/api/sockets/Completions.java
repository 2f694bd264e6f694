package io.manafold.api.sockets;

/** Completions of one {@link Queues#poll}, read by index and filled in place again and again. For one thread. */
public final class Completions {
    /** Of the flags, of a send: the transport has taken the bytes, as many as {@link #length} says. */
    public static final int ACCEPTED = 1;
    /**
     * Of the flags: the memory is the program's again. A receive always has it; a send has it at once, or in a
     * completion of its own.
     */
    public static final int FREE = 1 << 1;
    /** Of the flags, of a receive: the data lies in a buffer of a pool, which is to be given back. */
    public static final int POOLED = 1 << 2;
    /** Of the flags, of an armed receive or a listener: it goes on, and more completions of it come. */
    public static final int MORE = 1 << 3;
    /** Of the flags, of a receive: the peer sends no more. */
    public static final int END = 1 << 4;

    private final Endpoint[] endpoints;
    private final Operation[] operations;
    private final long[] tags;
    private final int[] flags;
    private final int[] errnos;
    private final long[] lengths;
    private final long[] offsets;
    private final int[] keys;
    private final int[] buffers;
    private int count;

    /** @param capacity how many one poll brings at most */
    public Completions(int capacity) {
        endpoints = new Endpoint[capacity];
        operations = new Operation[capacity];
        tags = new long[capacity];
        flags = new int[capacity];
        errnos = new int[capacity];
        lengths = new long[capacity];
        offsets = new long[capacity];
        keys = new int[capacity];
        buffers = new int[capacity];
    }

    public int capacity() {
        return tags.length;
    }

    /** How many there are. */
    public int count() {
        return count;
    }

    /** Whose it is; of an accept the endpoint that has come, {@code null} if none could. */
    public Endpoint endpoint(int index) {
        return endpoints[check(index)];
    }

    public Operation operation(int index) {
        return operations[check(index)];
    }

    /** What its poster called the work. */
    public long tag(int index) {
        return tags[check(index)];
    }

    /** Bits of the constants here. */
    public int flags(int index) {
        return flags[check(index)];
    }

    /** Whether the flags have all of these bits. */
    public boolean has(int index, int bits) {
        return (flags[check(index)] & bits) == bits;
    }

    /**
     * 0, or the positive number of the error, as {@link io.manafold.api.refusal.Errno} has it; {@link Endpoint#failure}
     * has a sentence.
     */
    public int errno(int index) {
        return errnos[check(index)];
    }

    /**
     * Bytes that were taken or have come, with an error too: a connection that breaks in the middle has a length and an
     * error.
     */
    public long length(int index) {
        return lengths[check(index)];
    }

    /** Of received data: the key of its region. */
    public int key(int index) {
        return keys[check(index)];
    }

    /** Of received data: where it begins in its region. */
    public long offset(int index) {
        return offsets[check(index)];
    }

    /** Of pooled data: what to give back, −1 otherwise. */
    public int buffer(int index) {
        return buffers[check(index)];
    }

    private int check(int index) {
        if (index >= count) {
            throw new IndexOutOfBoundsException("there are " + count + " completions, and none at " + index);
        }
        return index;
    }

    // ---- for transports

    /** Has none. */
    public void clear() {
        // endpoints that have gone are not kept from being collected
        for (int i = 0; i < count; i++) {
            endpoints[i] = null;
        }
        count = 0;
    }

    public boolean isFull() {
        return count == tags.length;
    }

    /** Has one more, for which there is room. */
    public void add(Endpoint endpoint, Operation operation, long tag, int flag, int errno, long length) {
        endpoints[count] = endpoint;
        operations[count] = operation;
        tags[count] = tag;
        flags[count] = flag;
        errnos[count] = errno;
        lengths[count] = length;
        offsets[count] = 0;
        keys[count] = 0;
        buffers[count++] = -1;
    }

    /** Where the data of the last one lies. */
    public void placeOfLast(int key, long offset, int buffer) {
        keys[count - 1] = key;
        offsets[count - 1] = offset;
        buffers[count - 1] = buffer;
    }
}
