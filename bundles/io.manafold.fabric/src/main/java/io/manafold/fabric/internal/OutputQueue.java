package io.manafold.fabric.internal;

import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.LinkStatus.QueueStatus;
import io.manafold.api.fabric.Queueing;
import io.manafold.packet.FrameBurst;
import io.manafold.packet.RingSpace;

/**
 * Copies of frames that wait in front of a port, first in, first out, and leave at a rate. Frames are staged first and
 * kept when it is sure that their memory was there. Used by the agent alone, except for {@link #status}.
 */
final class OutputQueue {
    /** The longest frame that is taken. */
    static final int LONGEST = 16 << 10;
    /** What the shortest counts as. */
    static final int SHORTEST = 64;
    private static final int ALIGNMENT = 16;

    private final long base;
    private final int capacity;
    private final long limit;
    private final PaceClock clock;
    private final int mask;
    private final int[] offsets;
    private final int[] lengths;
    private final int[] marks;
    /** Which jack and class a frame came in by: {@code jack * 8 + class}. */
    private final int[] owners;
    private int first;
    private int count;
    private int end;
    private int staged;
    private long stagedBytes;
    private int endBefore;

    private final Counter waiting = new Counter();
    private final Counter highest = new Counter();
    private final Counter dropped = new Counter();
    private final Counter marked = new Counter();

    /** @param base as many bytes as {@link #memory} says */
    OutputQueue(long base, Queueing queueing, long now) {
        this.base = base;
        limit = queueing.buffer();
        capacity = memory(queueing);
        clock = new PaceClock(queueing.rate(), now);
        int slots = Integer.highestOneBit((int) (limit / SHORTEST) - 1) << 1;
        mask = slots - 1;
        offsets = new int[slots];
        lengths = new int[slots];
        marks = new int[slots];
        owners = new int[slots];
    }

    /** The bytes in which every mixture of frames that a buffer may hold finds a place. */
    static int memory(Queueing queueing) {
        // rounding up makes the shortest frame no longer, and others longer by less than a quarter
        return (int) (queueing.buffer() + queueing.buffer() / 4) + LONGEST + SHORTEST & -SHORTEST;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** How many bytes wait. */
    long waiting() {
        return waiting.get();
    }

    /** How many frames were staged. */
    int staged() {
        return staged;
    }

    /** Copies a frame behind those that wait, to be kept or taken back; false if there is no room. */
    boolean stage(Frames frames, int frame) {
        if (staged == 0) {
            endBefore = end;
        }
        int length = frames.length(frame);
        int there = count + staged;
        if (length <= 0 || length > LONGEST || there > mask || waiting.get() + stagedBytes + size(length) > limit) {
            return false;
        }
        int offset = RingSpace.find(capacity, there == 0, offsets[first], end, aligned(length));
        if (offset == RingSpace.FULL) {
            return false;
        }
        int slot = first + there & mask;
        offsets[slot] = offset;
        marks[slot] = frames.marks(frame);
        lengths[slot] = Pieces.copy(frames, frame, base + offset, length);
        end = offset + aligned(length);
        stagedBytes += size(length);
        staged++;
        return true;
    }

    /** Where the next staged frame lies. */
    long stagedAddress() {
        return base + offsets[first + count & mask];
    }

    int stagedLength() {
        return lengths[first + count & mask];
    }

    /** Keeps the next staged frame. */
    void keep(int owner, long now) {
        if (count == 0) {
            clock.begin(now);
        }
        int slot = first + count & mask;
        owners[slot] = owner;
        int size = size(lengths[slot]);
        waiting.add(size);
        if (waiting.get() > highest.get()) {
            highest.add(waiting.get() - highest.get());
        }
        count++;
        staged--;
        stagedBytes -= size;
    }

    /** Takes back what was staged; nothing of it was kept. */
    void takeBack() {
        staged = 0;
        stagedBytes = 0;
        end = endBefore;
    }

    void drop(int frames) {
        dropped.add(frames);
    }

    void mark() {
        marked.add(1);
    }

    /** Fills in what has left by now, as far as there is room; it stays here until {@link #free}. */
    void fill(FrameBurst into, long now) {
        into.clear();
        clock.look(now);
        for (int i = 0; i < count && into.hasRoom(1); i++) {
            int slot = first + i & mask;
            int size = size(lengths[slot]);
            if (clock.leaves(size) - now > 0) {
                break;
            }
            clock.leave(size);
            into.begin(marks[slot]);
            into.add(base + offsets[slot], lengths[slot]);
        }
    }

    /** The jack and class of the first frame. */
    int owner() {
        return owners[first];
    }

    /** The first frame has arrived; how many bytes it counted as. */
    int free() {
        int size = size(lengths[first]);
        first = first + 1 & mask;
        count--;
        waiting.add(-size);
        return size;
    }

    /** When the first frame will have left; only if there is one. */
    long due() {
        return clock.leaves(size(lengths[first]));
    }

    static int size(int length) {
        return Math.max(length, SHORTEST);
    }

    private static int aligned(int length) {
        return length + ALIGNMENT - 1 & -ALIGNMENT;
    }

    QueueStatus status(String port, long pauses) {
        return new QueueStatus(port, waiting.get(), highest.get(), dropped.get(), marked.get(), pauses);
    }
}
