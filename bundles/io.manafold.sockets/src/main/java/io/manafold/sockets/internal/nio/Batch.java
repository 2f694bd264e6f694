package io.manafold.sockets.internal.nio;

import io.manafold.streams.HeldRegion;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The ranges of one operation as one buffer, since Java allocates for each buffer of an operation with several. Ranges
 * that lie one after the other are one; a long one goes alone; short ones that lie apart go through a buffer in
 * between.
 */
final class Batch {
    /** Ranges at most. */
    static final int RANGES = 256;
    /** Of the buffer in between. */
    private static final int BYTES = 256 << 10;
    /** From where on a range is an operation of its own. */
    private static final int LONG = 64 << 10;
    private static final long LONGEST = 1L << 30;

    private final NioQueues queues;
    private final HeldRegion[] regions = new HeldRegion[RANGES];
    private final long[] offsets = new long[RANGES];
    private final int[] lengths = new int[RANGES];
    private int count;
    private int taken;
    private boolean isBetween;
    private ByteBuffer between;
    private MemorySegment betweenSegment;

    Batch(NioQueues queues) {
        this.queues = queues;
    }

    void clear() {
        count = 0;
    }

    void add(HeldRegion region, long offset, int length) {
        regions[count] = region;
        offsets[count] = offset;
        lengths[count++] = length;
    }

    /** How many of the ranges the last buffer stands for, the last of them perhaps in part. */
    int taken() {
        return taken;
    }

    /** Whether the last buffer is the one in between. */
    boolean isBetween() {
        return isBetween;
    }

    /** What is to be written. */
    ByteBuffer outgoing() {
        ByteBuffer own = whereItLies();
        if (own != null) {
            return own;
        }
        int at = 0;
        for (taken = 0; taken < count && at < BYTES; taken++) {
            int length = Math.min(lengths[taken], BYTES - at);
            MemorySegment.copy(regions[taken].block().segment(), regions[taken].offset() + offsets[taken],
                    betweenSegment, at, length);
            at += length;
        }
        return between.clear().limit(at);
    }

    /** Where to read to; {@link #came} follows. */
    ByteBuffer incoming() {
        ByteBuffer own = whereItLies();
        if (own != null) {
            return own;
        }
        int at = 0;
        for (taken = 0; taken < count && at < BYTES; taken++) {
            at += Math.min(lengths[taken], BYTES - at);
        }
        return between.clear().limit(at);
    }

    /** So many bytes were read: they are put where they belong. */
    void came(long bytes) {
        if (!isBetween) {
            return;
        }
        int at = 0;
        for (int i = 0; at < bytes; i++) {
            int length = (int) Math.min(lengths[i], bytes - at);
            MemorySegment.copy(betweenSegment, at, regions[i].block().segment(), regions[i].offset() + offsets[i],
                    length);
            at += length;
        }
    }

    private ByteBuffer whereItLies() {
        long length = lengths[0];
        taken = 1;
        while (taken < count && regions[taken] == regions[0] && offsets[taken] == offsets[0] + length && length
                + lengths[taken] <= LONGEST) {
            length += lengths[taken++];
        }
        isBetween = taken < count && length < LONG;
        if (!isBetween) {
            return queues.view(regions[0], offsets[0], (int) length);
        }
        if (between == null) {
            between = ByteBuffer.allocateDirect(BYTES);
            betweenSegment = MemorySegment.ofBuffer(between);
        }
        return null;
    }

    /** Keeps nothing of regions that have gone. */
    void forget() {
        Arrays.fill(regions, null);
        between = null;
        betweenSegment = null;
    }
}
