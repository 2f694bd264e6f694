package io.manafold.streams;

import io.manafold.api.sockets.Completions;
import io.manafold.api.sockets.Endpoint;
import io.manafold.api.sockets.Operation;

/**
 * Completions that were not polled, oldest first. It grows to what was needed once and stays so. Each transfer has
 * reserved its room; what says that an endpoint has come, is connected, finished or closed has room of its own, since
 * there are few of these for each endpoint.
 */
public final class CompletionRing {
    private final int limit;
    private Endpoint[] endpoints = new Endpoint[64];
    private Operation[] operations = new Operation[64];
    private long[] tags = new long[64];
    private int[] flags = new int[64];
    private int[] errnos = new int[64];
    private long[] lengths = new long[64];
    private int[] keys = new int[64];
    private long[] offsets = new long[64];
    private int[] buffers = new int[64];
    /** Of which each buffer is. */
    private Pool[] pools = new Pool[64];
    private long head;
    private long tail;
    private int reserved;
    /** Of those in it, how many have no room of their own. */
    private int counted;

    CompletionRing(int limit) {
        this.limit = limit;
    }

    public int limit() {
        return limit;
    }

    public boolean isEmpty() {
        return head == tail;
    }

    /** How many more there can be. */
    public int room() {
        return limit - reserved - counted;
    }

    /** Has room kept for work that is posted. */
    public void reserve(int count) {
        reserved += count;
    }

    /** What room was kept is not needed. */
    public void unreserve(int count) {
        reserved -= count;
    }

    /** Has one more; the room that was kept for it is given up with {@link #unreserve} by its owner. */
    public void add(Endpoint endpoint, Operation operation, long tag, int flag, int errno, long length) {
        if (tail - head == tags.length) {
            grow();
        }
        int at = (int) tail++ & tags.length - 1;
        endpoints[at] = endpoint;
        operations[at] = operation;
        tags[at] = tag;
        flags[at] = flag;
        errnos[at] = errno;
        lengths[at] = length;
        keys[at] = 0;
        offsets[at] = 0;
        buffers[at] = -1;
        if (isCounted(operation)) {
            counted++;
        }
    }

    /** Where the data of the last one lies. */
    public void placeOfLast(int key, long offset, int buffer) {
        int at = (int) (tail - 1) & tags.length - 1;
        keys[at] = key;
        offsets[at] = offset;
        buffers[at] = buffer;
    }

    /** Of which pool the buffer of the last one is. */
    void poolOfLast(Pool pool) {
        pools[(int) (tail - 1) & tags.length - 1] = pool;
    }

    private static boolean isCounted(Operation operation) {
        return operation == Operation.SEND || operation == Operation.RECEIVE || operation == Operation.ACCEPT;
    }

    private void grow() {
        endpoints = Rings.grown(endpoints, head);
        operations = Rings.grown(operations, head);
        tags = Rings.grown(tags, head);
        flags = Rings.grown(flags, head);
        errnos = Rings.grown(errnos, head);
        lengths = Rings.grown(lengths, head);
        keys = Rings.grown(keys, head);
        offsets = Rings.grown(offsets, head);
        buffers = Rings.grown(buffers, head);
        pools = Rings.grown(pools, head);
    }

    /** Moves as many as there is room for. */
    int drain(Completions to) {
        while (head != tail && !to.isFull()) {
            int at = (int) head++ & tags.length - 1;
            Operation operation = operations[at];
            if (isCounted(operation)) {
                counted--;
            }
            // one that was taken from here meanwhile
            if (operation != null) {
                to.add(endpoints[at], operation, tags[at], flags[at], errnos[at], lengths[at]);
                to.placeOfLast(keys[at], offsets[at], buffers[at]);
            }
            endpoints[at] = null;
            pools[at] = null;
        }
        return to.count();
    }

    /** The place of the oldest pooled receive of an endpoint that brought data; −1 if there is none. */
    long oldestPooled(Endpoint endpoint) {
        for (long i = head; i != tail; i++) {
            int at = (int) i & tags.length - 1;
            if (endpoints[at] == endpoint && operations[at] == Operation.RECEIVE
                    && (flags[at] & Completions.POOLED) != 0) {
                return i;
            }
        }
        return -1;
    }

    long offset(long place) {
        return offsets[(int) place & tags.length - 1];
    }

    int length(long place) {
        return (int) lengths[(int) place & tags.length - 1];
    }

    int buffer(long place) {
        return buffers[(int) place & tags.length - 1];
    }

    Pool pool(long place) {
        return pools[(int) place & tags.length - 1];
    }

    /** So many bytes of it have been read already; all of them, and it is none any more. */
    void consume(long place, int bytes) {
        int at = (int) place & tags.length - 1;
        offsets[at] += bytes;
        lengths[at] -= bytes;
        if (lengths[at] == 0) {
            operations[at] = null;
            endpoints[at] = null;
            pools[at] = null;
            counted--;
        }
    }
}
