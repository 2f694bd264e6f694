package io.manafold.inet.internal;

import io.manafold.packet.RingSpace;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Frames between the thread that reads them from the kernel and the device's. */
final class TapRing implements AutoCloseable {
    static final int LONGEST = 1 << 16;
    private static final int BYTES = 2 << 20;
    private static final int FRAMES = 1 << 11;
    private static final int MASK = FRAMES - 1;
    private static final int ALIGNMENT = 64;
    private static final VarHandle WRITTEN;
    private static final VarHandle READ;

    static {
        try {
            WRITTEN = MethodHandles.lookup().findVarHandle(TapRing.class, "written", long.class);
            READ = MethodHandles.lookup().findVarHandle(TapRing.class, "read", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Arena arena = Arena.ofShared();
    private final long base = arena.allocate(BYTES, ALIGNMENT).address();
    private final int[] offsets = new int[FRAMES];
    private final int[] lengths = new int[FRAMES];
    private long written;
    private long read;
    private int end;
    private int reserved;

    /** The reading side: where a frame of any length can be put, or 0 if there is no room. */
    long reserve() {
        long done = (long) READ.getAcquire(this);
        reserved = written - done > MASK ? RingSpace.FULL
                : RingSpace.find(BYTES, written == done, offsets[(int) done & MASK], end, LONGEST);
        return reserved == RingSpace.FULL ? 0 : base + reserved;
    }

    /** The reading side: a frame has been put where {@link #reserve} said. */
    void commit(int length) {
        int slot = (int) written & MASK;
        offsets[slot] = reserved;
        lengths[slot] = length;
        end = reserved + (length + ALIGNMENT - 1 & -ALIGNMENT);
        WRITTEN.setRelease(this, written + 1);
    }

    /** The device's side: how long the oldest frame is, 0 if there is none. */
    int length() {
        return isEmpty() ? 0 : lengths[(int) read & MASK];
    }

    /** The device's side: where the oldest frame is. */
    long address() {
        return base + offsets[(int) read & MASK];
    }

    /** The device's side: the oldest frame is done with. */
    void next() {
        READ.setRelease(this, read + 1);
    }

    boolean isEmpty() {
        return (long) WRITTEN.getAcquire(this) == read;
    }

    /** To be called when both sides have ended. */
    @Override
    public void close() {
        arena.close();
    }
}
