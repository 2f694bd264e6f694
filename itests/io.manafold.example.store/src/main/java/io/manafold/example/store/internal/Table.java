package io.manafold.example.store.internal;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Finds chunks by their keys. Its size is that of the memory, so that it never grows while clients wait. */
final class Table {
    /** Clients wait for no more than this many buckets. */
    private static final int MOST_SWEPT = 8192;

    private final MemorySegment memory;
    private final Chunks chunks;
    private final KeyHash hash = new KeyHash();
    private final int[] buckets;
    private int count;
    private int expiring;
    private int swept;

    Table(MemorySegment memory, Chunks chunks) {
        this.memory = memory;
        this.chunks = chunks;
        buckets = new int[Integer.highestOneBit(Math.clamp(chunks.size() / 128, 16, 1 << 28))];
        Arrays.fill(buckets, Chunks.NONE);
    }

    int count() {
        return count;
    }

    /** The chunk of a key, {@link Chunks#NONE} if there is none or its time is over. */
    int find(MemorySegment key, int at, int length, long now) {
        int bucket = bucket(key, at, length);
        for (int chunk = buckets[bucket]; chunk != Chunks.NONE; chunk = chunks.next(chunk)) {
            if (isKey(chunk, key, at, length)) {
                if (isOver(chunk, now)) {
                    remove(bucket, chunk);
                    return Chunks.NONE;
                }
                return chunk;
            }
        }
        return Chunks.NONE;
    }

    /**
     * Has a chunk found from now on, in place of the one that had its key. The reference of its maker is the table's
     * now.
     */
    void put(int added) {
        int length = chunks.keyLength(added);
        int bucket = (int) hash.of(memory, chunks.keyAt(added), length) & buckets.length - 1;
        int old = buckets[bucket];
        while (old != Chunks.NONE && !isSameKey(old, added)) {
            old = chunks.next(old);
        }
        if (old != Chunks.NONE) {
            remove(bucket, old);
        }
        chunks.next(added, buckets[bucket]);
        buckets[bucket] = added;
        count++;
        if (chunks.expires(added) != 0) {
            expiring++;
        }
    }

    boolean remove(MemorySegment key, int at, int length, long now) {
        int found = find(key, at, length, now);
        if (found == Chunks.NONE) {
            return false;
        }
        remove(bucket(key, at, length), found);
        return true;
    }

    /** Looks for chunks whose time is over in a few buckets, others each time: in all of them within about a second. */
    void sweep(long elapsed, long now) {
        if (expiring == 0) {
            return;
        }
        long share = Math.clamp(elapsed, 0, 1000);
        int some = Math.clamp(buckets.length * share / 1000, 64, MOST_SWEPT);
        for (int i = 0; i < some; i++) {
            swept = swept + 1 & buckets.length - 1;
            int chunk = buckets[swept];
            while (chunk != Chunks.NONE) {
                int next = chunks.next(chunk);
                if (isOver(chunk, now)) {
                    remove(swept, chunk);
                }
                chunk = next;
            }
        }
    }

    private boolean isOver(int chunk, long now) {
        long expires = chunks.expires(chunk);
        return expires != 0 && expires <= now;
    }

    private void remove(int bucket, int chunk) {
        int next = chunks.next(chunk);
        if (buckets[bucket] == chunk) {
            buckets[bucket] = next;
        } else {
            int previous = buckets[bucket];
            while (chunks.next(previous) != chunk) {
                previous = chunks.next(previous);
            }
            chunks.next(previous, next);
        }
        count--;
        if (chunks.expires(chunk) != 0) {
            expiring--;
        }
        chunks.letGo(chunk);
    }

    private int bucket(MemorySegment key, int at, int length) {
        return (int) hash.of(key, at, length) & buckets.length - 1;
    }

    private boolean isKey(int chunk, MemorySegment key, int at, int length) {
        long from = chunks.keyAt(chunk);
        return chunks.keyLength(chunk) == length
                && MemorySegment.mismatch(memory, from, from + length, key, at, (long) at + length) < 0;
    }

    private boolean isSameKey(int one, int other) {
        int length = chunks.keyLength(other);
        long from = chunks.keyAt(one);
        long at = chunks.keyAt(other);
        return chunks.keyLength(one) == length && MemorySegment.mismatch(memory, from, from + length, memory, at,
                at + length) < 0;
    }
}
