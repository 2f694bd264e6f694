package io.manafold.fabric.internal;

import io.manafold.api.fabric.Frames;
import io.manafold.memory.RawMemory;
import io.manafold.packet.FrameBurst;
import java.lang.foreign.Arena;

/**
 * Copies of the few frames that come later than others which were sent after them. Used by the agent alone.
 */
final class LateFrames implements AutoCloseable {
    static final int FRAMES = 256;
    /** The longest frame that is taken. */
    static final int LONGEST = 16 << 10;
    static final int NONE = -1;

    private final Arena arena = Arena.ofShared();
    private final long base = arena.allocate((long) FRAMES * LONGEST, Long.BYTES).address();
    private final long[] due = new long[FRAMES];
    /** In which order they came; 0 where there is none. */
    private final long[] numbers = new long[FRAMES];
    private final int[] places = new int[FRAMES];
    private final int[] lengths = new int[FRAMES];
    private final int[] marks = new int[FRAMES];
    private long number;
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    /** Takes a copy of a frame, to come out at a time; which one it is now, {@link #NONE} if there is no room. */
    int add(int place, Frames frames, int frame, long time) {
        int slot = 0;
        while (slot < FRAMES && numbers[slot] != 0) {
            slot++;
        }
        if (slot == FRAMES || frames.length(frame) > LONGEST) {
            return NONE;
        }
        lengths[slot] = Pieces.copy(frames, frame, base + (long) slot * LONGEST, LONGEST);
        RawMemory.settle();
        marks[slot] = frames.marks(frame);
        places[slot] = place;
        due[slot] = time;
        numbers[slot] = ++number;
        count++;
        return slot;
    }

    /** The one that is due first, of several the one that came first; {@link #NONE} if there is none. */
    int first() {
        int best = NONE;
        for (int slot = 0; count > 0 && slot < FRAMES; slot++) {
            if (numbers[slot] != 0 && (best == NONE || due[slot] - due[best] < 0
                    || due[slot] == due[best] && numbers[slot] < numbers[best])) {
                best = slot;
            }
        }
        return best;
    }

    long due(int slot) {
        return due[slot];
    }

    /** Lets one go, which came in at the place that is answered; it is good until the next one is added. */
    int take(int slot, FrameBurst into) {
        into.clear();
        into.begin(marks[slot]);
        into.add(base + (long) slot * LONGEST, lengths[slot]);
        numbers[slot] = 0;
        count--;
        return places[slot];
    }

    /** To be called when the agent has ended. */
    @Override
    public void close() {
        arena.close();
    }
}
