package io.manafold.adapter.internal;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Numbers for objects, and the objects by number. One thread takes and frees numbers; any thread looks up. A number
 * that was freed comes back last, so that a late doorbell meets nothing rather than a stranger.
 */
final class IdTable<T> {
    private final AtomicReferenceArray<T> objects;
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
    IdTable(int first, int size, int most) {
        this.objects = new AtomicReferenceArray<>(size);
        this.first = first;
        this.next = first;
        this.most = most;
    }

    /** The object of a number, whatever the number; or {@code null}. */
    T get(int id) {
        return id >= 0 && id < objects.length() ? objects.get(id) : null;
    }

    int count() {
        return count;
    }

    int most() {
        return most;
    }

    /** A free number, or −1. */
    int take() {
        if (count >= most) {
            return -1;
        }
        int id = taken.nextClearBit(next);
        if (id >= objects.length()) {
            id = taken.nextClearBit(first);
        }
        if (id >= objects.length()) {
            return -1;
        }
        taken.set(id);
        next = id + 1 < objects.length() ? id + 1 : first;
        count++;
        return id;
    }

    /** Makes an object known under a number that was taken, or a fixed one below those. */
    void put(int id, T object) {
        objects.set(id, object);
    }

    /** Forgets an object; its number is still taken. */
    void remove(int id) {
        objects.set(id, null);
    }

    /** Gives a number back. */
    void free(int id) {
        objects.set(id, null);
        if (taken.get(id)) {
            taken.clear(id);
            count--;
        }
    }
}
