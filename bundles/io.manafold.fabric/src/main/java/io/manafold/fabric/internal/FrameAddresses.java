package io.manafold.fabric.internal;

import io.manafold.api.fabric.Frames;
import io.manafold.memory.RawMemory;

/** The two addresses at the start of a frame, each byte read once: its sender may change it at any time. */
final class FrameAddresses {
    private static final int ADDRESSES = 12;

    /** Both addresses as they lie in memory: the first eight bytes and the four behind them. */
    private long first;
    private int rest;

    /**
     * Reads those of a frame that is long enough.
     *
     * @return whether they are others than those read before
     */
    boolean read(Frames frames, int frame) {
        long firstBefore = first;
        int restBefore = rest;
        if (frames.length(frame, 0) >= ADDRESSES) {
            long at = frames.address(frame, 0);
            first = RawMemory.get64(at);
            rest = RawMemory.get32(at + Long.BYTES);
        } else {
            gather(frames, frame);
        }
        return first != firstBefore || rest != restBefore;
    }

    private void gather(Frames frames, int frame) {
        long eight = 0;
        int four = 0;
        int read = 0;
        int pieces = frames.pieces(frame);
        for (int piece = 0; piece < pieces && read < ADDRESSES; piece++) {
            long at = frames.address(frame, piece);
            int length = frames.length(frame, piece);
            for (int i = 0; i < length && read < ADDRESSES; i++, read++) {
                int octet = RawMemory.get8(at + i);
                if (read < Long.BYTES) {
                    eight |= (long) octet << 8 * read;
                } else {
                    four |= octet << 8 * (read - Long.BYTES);
                }
            }
        }
        first = eight;
        rest = four;
    }

    long destination() {
        return Long.reverseBytes(first) >>> 16;
    }

    long source() {
        return (Long.reverseBytes(first) & 0xffff) << 32 | Integer.reverseBytes(rest) & 0xffff_ffffL;
    }
}
