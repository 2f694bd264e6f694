package io.manafold.fabric.internal;

import io.manafold.api.fabric.Frames;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import io.manafold.packet.RingSpace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Copies of frames on their slow way, first in, first out, in memory of a fixed size. */
final class DelayLine implements AutoCloseable {
    static final int BYTES = 16 << 20;
    static final int FRAMES = 1 << 14;
    static final int NO_PLACE = -1;
    private static final int ALIGNMENT = 64;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final long base;
    private final int bytes;
    private final int mask;
    private final long[] due;
    private final int[] offsets;
    private final int[] lengths;
    private final int[] marks;
    private final int[] places;
    private int first;
    private int count;
    private int end;

    DelayLine() {
        this(BYTES, FRAMES);
    }

    /** @param frames a power of two */
    DelayLine(int bytes, int frames) {
        memory = arena.allocate(bytes, ALIGNMENT);
        base = memory.address();
        this.bytes = bytes;
        mask = frames - 1;
        due = new long[frames];
        offsets = new int[frames];
        lengths = new int[frames];
        marks = new int[frames];
        places = new int[frames];
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** When the first is due; only if there is one. */
    long due() {
        return due[first];
    }

    /** Takes a copy of a frame, to come out at a time; false if there is no room. */
    boolean add(int place, Frames frames, int frame, long time) {
        int length = frames.length(frame);
        int offset = count > mask ? RingSpace.FULL
                : RingSpace.find(bytes, count == 0, offsets[first], end, aligned(length));
        if (offset == RingSpace.FULL) {
            return false;
        }
        int copied = Pieces.copy(frames, frame, base + offset, length);
        // if the sender's memory was gone, this place holds what another frame left there, and must not go out
        RawMemory.settle();
        int slot = first + count & mask;
        due[slot] = time;
        offsets[slot] = offset;
        lengths[slot] = copied;
        marks[slot] = frames.marks(frame);
        places[slot] = place;
        count++;
        end = offset + aligned(length);
        return true;
    }

    /**
     * Fills in the first frames that are due and came from one place; they stay here until {@link #free}.
     *
     * @return the place, or {@link #NO_PLACE} if nothing is due
     */
    int due(long now, FrameBurst into) {
        into.clear();
        int place = NO_PLACE;
        for (int i = 0; i < count && into.hasRoom(1); i++) {
            int slot = first + i & mask;
            if (due[slot] - now > 0 || place != NO_PLACE && places[slot] != place) {
                break;
            }
            place = places[slot];
            into.begin(marks[slot]);
            into.add(base + offsets[slot], lengths[slot]);
        }
        return place;
    }

    /** The first frames have arrived. */
    void free(int frames) {
        first = first + frames & mask;
        count -= frames;
    }

    private static int aligned(int length) {
        return length + ALIGNMENT - 1 & -ALIGNMENT;
    }

    /** To be called when no agent uses it any more. */
    @Override
    public void close() {
        arena.close();
    }
}
