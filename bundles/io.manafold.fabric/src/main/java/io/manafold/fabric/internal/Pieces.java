package io.manafold.fabric.internal;

import io.manafold.api.fabric.Frames;
import io.manafold.memory.RawMemory;

/** Puts the pieces of a frame together. */
final class Pieces {
    private Pieces() {
    }

    /**
     * Copies the start of a frame.
     *
     * @param limit how many bytes fit at most
     * @return how many were copied
     */
    static int copy(Frames frames, int frame, long to, int limit) {
        int copied = 0;
        int pieces = frames.pieces(frame);
        for (int piece = 0; piece < pieces && copied < limit; piece++) {
            int length = Math.min(frames.length(frame, piece), limit - copied);
            RawMemory.copy(frames.address(frame, piece), to + copied, length);
            copied += length;
        }
        return copied;
    }

    /** Copies the start of a frame to an array, as much as fits; how many bytes that was. */
    static int copy(Frames frames, int frame, byte[] to) {
        int copied = 0;
        int pieces = frames.pieces(frame);
        for (int piece = 0; piece < pieces && copied < to.length; piece++) {
            int length = Math.min(frames.length(frame, piece), to.length - copied);
            RawMemory.copy(frames.address(frame, piece), to, copied, length);
            copied += length;
        }
        return copied;
    }
}
