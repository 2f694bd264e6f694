package io.manafold.sockets.internal.server;

import io.manafold.api.sockets.Region;
import java.lang.foreign.MemorySegment;

/** A part of a region, of {@link Slices#BYTES}. */
record Slice(Region region, int number) {
    long offset() {
        return (long) number * Slices.BYTES;
    }

    /** A part of it as memory. */
    MemorySegment segment(long from, long length) {
        return region.block().segment().asSlice(region.offset() + offset() + from, length);
    }
}
