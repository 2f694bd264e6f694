package io.manafold.uring;

import io.manafold.memory.RawMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Pieces of memory that leave as one, in memory of its own as the kernel wants it. May change when the request that
 * names it has been submitted.
 */
public final class GatherList implements AutoCloseable {
    /** The most pieces that a kernel takes. */
    public static final int MOST = 1024;

    private static final int HEADER = 56;
    private static final int PIECE = 16;

    private final Arena arena = Arena.ofShared();
    private final long header;
    private final long pieces;
    private final int capacity;
    private int count;

    public GatherList(int capacity) {
        if (capacity < 1 || capacity > MOST) {
            arena.close();
            throw new IllegalArgumentException("A list gathers 1 to " + MOST + " pieces, not " + capacity + ".");
        }
        this.capacity = capacity;
        MemorySegment memory = arena.allocate(HEADER + (long) PIECE * capacity, 8);
        header = memory.address();
        pieces = header + HEADER;
        RawMemory.put64(header + 16, pieces);
    }

    /** Forgets all pieces. */
    public void clear() {
        count = 0;
        RawMemory.put64(header + 24, 0);
    }

    /** Adds a piece; false when it is full. */
    public boolean add(long address, long bytes) {
        if (count == capacity) {
            return false;
        }
        RawMemory.put64(pieces + (long) PIECE * count, address);
        RawMemory.put64(pieces + (long) PIECE * count + 8, bytes);
        count++;
        RawMemory.put64(header + 24, count);
        return true;
    }

    /** How many pieces it has. */
    public int count() {
        return count;
    }

    /** What a request is given as its address. */
    public long address() {
        return header;
    }

    @Override
    public void close() {
        arena.close();
    }
}
