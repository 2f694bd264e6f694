package io.manafold.fabric.internal;

import io.manafold.api.fabric.Frames;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import java.lang.foreign.Arena;

/** A place for one frame per jack that lets its successor go first. */
final class ReorderBuffer implements AutoCloseable {
    static final int LONGEST = 16 << 10;

    private final Arena arena = Arena.ofShared();
    private final long base;
    private final int[] lengths;
    private final int[] marks;
    private final boolean[] twice;
    private final long[] since;
    private int count;

    ReorderBuffer(int jacks) {
        base = arena.allocate((long) jacks * LONGEST, Long.BYTES).address();
        lengths = new int[jacks];
        marks = new int[jacks];
        twice = new boolean[jacks];
        since = new long[jacks];
    }

    boolean isEmpty() {
        return count == 0;
    }

    boolean holds(int place) {
        return lengths[place] != 0;
    }

    boolean twice(int place) {
        return twice[place];
    }

    long since(int place) {
        return since[place];
    }

    void put(int place, Frames frames, int frame, boolean arrivesTwice, long now) {
        int copied = Pieces.copy(frames, frame, base + (long) place * LONGEST, frames.length(frame));
        if (copied == 0) {
            return;
        }
        // if the sender's memory was gone, this place holds what an earlier frame left there, and must not go out
        RawMemory.settle();
        lengths[place] = copied;
        marks[place] = frames.marks(frame);
        twice[place] = arrivesTwice;
        since[place] = now;
        count++;
    }

    /** Lets the frame go; it is good until the next one is put here. */
    void take(int place, FrameBurst into) {
        into.clear();
        into.begin(marks[place]);
        into.add(base + (long) place * LONGEST, lengths[place]);
        lengths[place] = 0;
        count--;
    }

    @Override
    public void close() {
        arena.close();
    }
}
