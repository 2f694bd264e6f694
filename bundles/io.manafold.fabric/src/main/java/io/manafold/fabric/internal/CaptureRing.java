package io.manafold.fabric.internal;

import io.manafold.api.fabric.Frames;
import io.manafold.memory.RawMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Copies of frames between the agent, who never waits, and the thread that writes them to a file. */
final class CaptureRing {
    static final int BYTES = 4 << 20;
    static final int FRAMES = 1 << 13;
    private static final int MASK = FRAMES - 1;
    private static final VarHandle WRITTEN;
    private static final VarHandle READ;

    static {
        try {
            WRITTEN = MethodHandles.lookup().findVarHandle(CaptureRing.class, "written", long.class);
            READ = MethodHandles.lookup().findVarHandle(CaptureRing.class, "read", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final byte[] bytes = new byte[BYTES];
    private final long[] times = new long[FRAMES];
    private final int[] offsets = new int[FRAMES];
    private final int[] kept = new int[FRAMES];
    private final int[] lengths = new int[FRAMES];
    private final int[] places = new int[FRAMES];
    private long written;
    private long read;
    private int end;

    /** The agent's side: takes a copy of the first bytes of a frame, or answers false when there is no room. */
    boolean offer(int place, long time, Frames frames, int frame, int snap) {
        long done = (long) READ.getAcquire(this);
        int length = frames.length(frame);
        int size = Math.min(length, snap);
        int offset = written - done > MASK ? RingSpace.FULL
                : RingSpace.find(BYTES, written == done, offsets[(int) done & MASK], end, size);
        if (offset == RingSpace.FULL) {
            return false;
        }
        int copied = 0;
        int pieces = frames.pieces(frame);
        for (int piece = 0; piece < pieces && copied < size; piece++) {
            int part = Math.min(frames.length(frame, piece), size - copied);
            RawMemory.copy(frames.address(frame, piece), bytes, offset + copied, part);
            copied += part;
        }
        int slot = (int) written & MASK;
        times[slot] = time;
        offsets[slot] = offset;
        kept[slot] = copied;
        lengths[slot] = length;
        places[slot] = place;
        end = offset + copied;
        WRITTEN.setRelease(this, written + 1);
        return true;
    }

    /** The writer's side: what the oldest frame is given to. */
    interface Taker {
        void take(int place, long time, byte[] bytes, int offset, int kept, int length) throws java.io.IOException;
    }

    boolean isEmpty() {
        return (long) WRITTEN.getAcquire(this) == read;
    }

    /** Gives away the oldest frame, if there is one. */
    boolean poll(Taker taker) throws java.io.IOException {
        if (isEmpty()) {
            return false;
        }
        int slot = (int) read & MASK;
        try {
            taker.take(places[slot], times[slot], bytes, offsets[slot], kept[slot], lengths[slot]);
        } finally {
            READ.setRelease(this, read + 1);
        }
        return true;
    }
}
