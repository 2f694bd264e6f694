package io.manafold.adapter.internal.queue;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Numbers for objects, and the objects by number. One thread takes and frees numbers; any thread looks up. A number
 * that was freed comes back last, so that a late doorbell meets nothing rather than a stranger.
 */
public final class IdTable<T> {
    private static final int CHUNK_SHIFT = 8;
    private static final int CHUNK = 1 << CHUNK_SHIFT;

    /** Made as numbers are used: most functions use few of those that they could have. */
    private final AtomicReferenceArray<AtomicReferenceArray<T>> chunks;
    private final int size;
    private final BitSet taken = new BitSet();
    private final int first;
    private final int most;
    private int next;
    private volatile int count;

    /**
     * @param first the lowest number that is given by itself
     * @param size all numbers are below it
     * @param most how many may be taken at a time
     */
    public IdTable(int first, int size, int most) {
        this.chunks = new AtomicReferenceArray<>(size + CHUNK - 1 >>> CHUNK_SHIFT);
        this.size = size;
        this.first = first;
        this.next = first;
        this.most = most;
    }

    /** From where on the first number is looked for, so that tables need not all begin alike. */
    public void startAt(int id) {
        next = id;
    }

    /** The object of a number, whatever the number; or {@code null}. */
    public T get(int id) {
        if (id < 0 || id >= size) {
            return null;
        }
        AtomicReferenceArray<T> chunk = chunks.get(id >>> CHUNK_SHIFT);
        return chunk == null ? null : chunk.get(id & CHUNK - 1);
    }

    public int count() {
        return count;
    }

    public int most() {
        return most;
    }

    /** A free number, or −1. */
    public int take() {
        if (count >= most) {
            return -1;
        }
        int id = taken.nextClearBit(next);
        if (id >= size) {
            id = taken.nextClearBit(first);
        }
        if (id >= size) {
            return -1;
        }
        taken.set(id);
        next = id + 1 < size ? id + 1 : first;
        count++;
        return id;
    }

    /** Makes an object known under a number that was taken, or a fixed one below those. */
    public void put(int id, T object) {
        AtomicReferenceArray<T> chunk = chunks.get(id >>> CHUNK_SHIFT);
        if (chunk == null) {
            chunk = new AtomicReferenceArray<>(CHUNK);
            chunks.set(id >>> CHUNK_SHIFT, chunk);
        }
        chunk.set(id & CHUNK - 1, object);
    }

    /** Forgets an object; its number is still taken. */
    public void remove(int id) {
        AtomicReferenceArray<T> chunk = chunks.get(id >>> CHUNK_SHIFT);
        if (chunk != null) {
            chunk.set(id & CHUNK - 1, null);
        }
    }

    /** Gives a number back. */
    public void free(int id) {
        remove(id);
        if (taken.get(id)) {
            taken.clear(id);
            count--;
        }
    }
}
