package io.manafold.example.store.internal;

import io.manafold.api.sockets.Region;
import java.lang.foreign.MemorySegment;

/**
 * The values of the store in a part of a region, and those that are under way to it: large ones of them take a quarter
 * of it at most, so that clients who announce values and send none leave room for others.
 */
final class Values {
    /** One value takes so small a part of the memory at most. */
    private static final int LARGEST_PART = 8;
    private static final int LARGE = 64 << 10;

    private final MemorySegment memory;
    private final Chunks chunks;
    private final Table table;
    private final long chunksAt;
    private final int key;
    private long underWay;

    /** @param chunksAt where its part begins, which goes on to the end */
    Values(Region region, long chunksAt) {
        memory = region.block().segment().asSlice(region.offset(), region.length());
        this.chunksAt = chunksAt;
        key = region.key();
        MemorySegment part = memory.asSlice(chunksAt);
        chunks = new Chunks(part);
        table = new Table(part, chunks);
    }

    /** All of the region. */
    MemorySegment memory() {
        return memory;
    }

    Chunks chunks() {
        return chunks;
    }

    Table table() {
        return table;
    }

    long chunksAt() {
        return chunksAt;
    }

    /** Of the region. */
    int key() {
        return key;
    }

    /** How long a value can be. */
    int longest() {
        return (int) Math.min(Integer.MAX_VALUE / 2, chunks.size() / LARGEST_PART);
    }

    /** A chunk for a value that is under way, {@link Chunks#NONE} if there is no room. */
    int make(int keyLength, int length) {
        if (length > longest() || underWay + large(length) > chunks.size() / 4) {
            return Chunks.NONE;
        }
        int chunk = chunks.allocate(keyLength, length);
        if (chunk != Chunks.NONE) {
            underWay += large(length);
        }
        return chunk;
    }

    /** It is under way no more. */
    void whole(int chunk) {
        underWay -= large(chunks.valueLength(chunk));
    }

    private static int large(int length) {
        return length < LARGE ? 0 : length;
    }
}
