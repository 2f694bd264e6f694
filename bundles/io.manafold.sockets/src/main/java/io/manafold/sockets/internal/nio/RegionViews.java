package io.manafold.sockets.internal.nio;

import io.manafold.streams.HeldRegion;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Buffers over a region, as Java's channels want them: kept and set to a range each time, so that none is made for a transfer. A buffer
 * reaches 2 GiB at most, so there are some for each GiB, where a range begins.
 */
final class RegionViews {
    private static final int WINDOW_BITS = 30;

    private final HeldRegion region;
    private final ByteBuffer[][] windows;
    private final int[] used;
    private long operation;

    RegionViews(HeldRegion region) {
        this.region = region;
        int count = (int) ((region.length() - 1 >>> WINDOW_BITS) + 1);
        windows = new ByteBuffer[count][0];
        used = new int[count];
    }

    HeldRegion region() {
        return region;
    }

    /**
     * A buffer over a range that is in the region; one that no other range of the same operation has.
     *
     * @param of a number that grows with each operation
     */
    ByteBuffer next(long offset, int length, long of) {
        if (operation != of) {
            operation = of;
            Arrays.fill(used, 0);
        }
        int window = (int) (offset >>> WINDOW_BITS);
        int at = used[window]++;
        if (at == windows[window].length) {
            add(window);
        }
        ByteBuffer buffer = windows[window][at];
        int from = (int) (offset - ((long) window << WINDOW_BITS));
        buffer.limit(Math.min(buffer.capacity(), from + Math.min(length, 1 << WINDOW_BITS)));
        buffer.position(from);
        return buffer;
    }

    private void add(int window) {
        ByteBuffer[] known = windows[window];
        long begin = (long) window << WINDOW_BITS;
        long length = Math.min(region.length() - begin, Integer.MAX_VALUE);
        MemorySegment part = region.block().segment().asSlice(region.offset() + begin, length);
        ByteBuffer[] more = Arrays.copyOf(known, Math.max(1, known.length * 2));
        for (int i = known.length; i < more.length; i++) {
            more[i] = part.asByteBuffer();
        }
        windows[window] = more;
    }
}
