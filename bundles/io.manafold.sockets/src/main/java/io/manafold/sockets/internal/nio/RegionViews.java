package io.manafold.sockets.internal.nio;

import io.manafold.streams.HeldRegion;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Buffers over a region, as Java's channels want them: kept and set to a range each time, so that none is made for a
 * transfer. A buffer reaches 2 GiB at most, so there is one for each GiB, where a range begins.
 */
final class RegionViews {
    private static final int WINDOW_BITS = 30;

    private final HeldRegion region;
    private final ByteBuffer[] windows;

    RegionViews(HeldRegion region) {
        this.region = region;
        windows = new ByteBuffer[(int) ((region.length() - 1 >>> WINDOW_BITS) + 1)];
    }

    HeldRegion region() {
        return region;
    }

    /** The buffer over a range that is in the region, until another range is asked for. */
    ByteBuffer at(long offset, int length) {
        int window = (int) (offset >>> WINDOW_BITS);
        if (windows[window] == null) {
            windows[window] = make(window);
        }
        ByteBuffer buffer = windows[window];
        int from = (int) (offset - ((long) window << WINDOW_BITS));
        return buffer.limit(Math.min(buffer.capacity(), from + Math.min(length, 1 << WINDOW_BITS))).position(from);
    }

    private ByteBuffer make(int window) {
        long begin = (long) window << WINDOW_BITS;
        MemorySegment part = region.block().segment().asSlice(region.offset() + begin,
                Math.min(region.length() - begin, Integer.MAX_VALUE));
        return part.asByteBuffer();
    }
}
