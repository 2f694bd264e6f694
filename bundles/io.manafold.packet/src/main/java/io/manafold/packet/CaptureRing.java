package io.manafold.packet;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.osgi.annotation.versioning.ConsumerType;

/** Copies of frames between one thread that never waits, such as a device's, and one that writes or prints them. */
public final class CaptureRing {
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

    /**
     * The side that does not wait: takes a copy of the first bytes of a frame, or answers false when there is no room.
     *
     * @param place where it passed, as a number
     * @param time in nanoseconds
     * @param snap how many of its bytes are kept at most
     */
    public boolean offer(int place, long time, Capture.Source frame, int length, int snap) {
        long done = (long) READ.getAcquire(this);
        int size = Math.min(length, snap);
        int offset = written - done > MASK ? RingSpace.FULL
                : RingSpace.find(BYTES, written == done, offsets[(int) done & MASK], end, size);
        if (offset == RingSpace.FULL) {
            return false;
        }
        frame.copy(bytes, offset, size);
        int slot = (int) written & MASK;
        times[slot] = time;
        offsets[slot] = offset;
        kept[slot] = size;
        lengths[slot] = length;
        places[slot] = place;
        end = offset + size;
        WRITTEN.setRelease(this, written + 1);
        return true;
    }

    /** What the oldest frame is given to, on the other side. */
    @ConsumerType
    @FunctionalInterface
    public interface Taker {
        void take(int place, long time, byte[] bytes, int offset, int kept, int length) throws IOException;
    }

    /** On the other side. */
    public boolean isEmpty() {
        return (long) WRITTEN.getAcquire(this) == read;
    }

    /** Gives away the oldest frame, if there is one; on the other side. */
    public boolean poll(Taker taker) throws IOException {
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
