package io.manafold.fabric.internal;

import io.manafold.api.fabric.Frames;
import io.manafold.memory.RawMemory;

/** The two addresses at the start of a frame, each byte read once: its sender may change it at any time. */
final class Heading {
    private static final int ADDRESSES = 12;

    private long destination;
    private long source;

    /**
     * Reads those of a frame that is long enough.
     *
     * @return whether they are others than those read before
     */
    boolean read(Frames frames, int frame) {
        long destinationBefore = destination;
        long sourceBefore = source;
        if (frames.length(frame, 0) >= ADDRESSES) {
            long at = frames.address(frame, 0);
            long first = RawMemory.getBig64(at);
            long rest = RawMemory.getBig32(at + Long.BYTES) & 0xffff_ffffL;
            destination = first >>> 16;
            source = (first & 0xffff) << 32 | rest;
        } else {
            gather(frames, frame);
        }
        return destination != destinationBefore || source != sourceBefore;
    }

    private void gather(Frames frames, int frame) {
        long first = 0;
        long second = 0;
        int read = 0;
        int pieces = frames.pieces(frame);
        for (int piece = 0; piece < pieces && read < ADDRESSES; piece++) {
            long at = frames.address(frame, piece);
            int length = frames.length(frame, piece);
            for (int i = 0; i < length && read < ADDRESSES; i++, read++) {
                long octet = RawMemory.get8(at + i) & 0xff;
                if (read < ADDRESSES / 2) {
                    first = first << 8 | octet;
                } else {
                    second = second << 8 | octet;
                }
            }
        }
        destination = first;
        source = second;
    }

    long destination() {
        return destination;
    }

    long source() {
        return source;
    }
}
