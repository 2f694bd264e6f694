package io.manafold.fabric.internal;

import io.manafold.api.fabric.Frames;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import java.lang.foreign.Arena;

/** A copy of one frame, to be changed: the sender's memory is never written to. Used by the agent alone. */
final class AlteredFrame implements AutoCloseable {
    private static final int LONGEST = LateFrames.LONGEST;

    private final Arena arena = Arena.ofShared();
    private final long base = arena.allocate(LONGEST, Long.BYTES).address();
    private final FrameBurst burst = new FrameBurst(1, 1);
    private final Codepoint codepoint = new Codepoint();
    private final SeededRandom random = new SeededRandom();

    /** The random numbers begin anew. */
    void start(long seed) {
        // a place that no jack has
        random.start(seed, Integer.MAX_VALUE - 1);
    }

    /** The frame, as if it had met congestion. */
    Frames congested(Frames frames, int frame) {
        int length = copy(frames, frame);
        codepoint.look(base, length);
        if (codepoint.isIp()) {
            codepoint.mark();
        }
        burst.addWhole(frames.marks(frame), base, length);
        return burst;
    }

    /** The frame with one bit behind a packet's headers another, and without what its sender knew of it. */
    Frames damaged(Frames frames, int frame, RocePacket packet) {
        int length = copy(frames, frame);
        int begin = Math.min(packet.behind(), length - 1);
        int bits = Math.max(1, Math.min(packet.end(), length) - begin) * Byte.SIZE;
        int bit = random.below(bits);
        long at = base + begin + bit / Byte.SIZE;
        RawMemory.put8(at, RawMemory.get8(at) ^ 1 << bit % Byte.SIZE);
        burst.addWhole(0, base, length);
        return burst;
    }

    private int copy(Frames frames, int frame) {
        burst.clear();
        int length = Pieces.copy(frames, frame, base, LONGEST);
        RawMemory.settle();
        return length;
    }

    /** To be called when the agent has ended. */
    @Override
    public void close() {
        arena.close();
    }
}
