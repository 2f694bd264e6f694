package io.manafold.adapter.internal.ethernet;

import io.manafold.memory.RawMemory;
import java.lang.foreign.Arena;

/** Memory of the port's own for the headers it rewrites: a place for each frame of a burst. Belongs to the agent. */
final class ScratchHeaders implements AutoCloseable {
    /** Bytes of a place: an odd number of cache lines, so that places do not fall onto each other there. */
    static final int PLACE = 320;

    private final Arena arena = Arena.ofShared();
    private final long base;

    ScratchHeaders(int places) {
        base = arena.allocate((long) places * PLACE, 64).address();
    }

    /** Puts headers into a frame's place and says where that is. */
    long put(int place, byte[] headers, int offset, int length) {
        long at = base + (long) place * PLACE;
        RawMemory.copy(headers, offset, at, length);
        return at;
    }

    @Override
    public void close() {
        arena.close();
    }
}
