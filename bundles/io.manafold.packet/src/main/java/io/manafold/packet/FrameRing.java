package io.manafold.packet;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Frames on their way from a thread that reads them, from the host's kernel for one, to an agent, in memory of the
 * ring's own. One thread puts them in, one takes them out.
 */
public final class FrameRing implements AutoCloseable {
    /** The longest frame there can be. */
    public static final int LONGEST = 1 << 16;
    private static final int BYTES = 2 << 20;
    private static final int FRAMES = 1 << 11;
    private static final int MASK = FRAMES - 1;
    private static final int ALIGNMENT = 64;
    private static final VarHandle WRITTEN;
    private static final VarHandle READ;

    static {
        try {
            WRITTEN = MethodHandles.lookup().findVarHandle(FrameRing.class, "written", long.class);
            READ = MethodHandles.lookup().findVarHandle(FrameRing.class, "read", long.class);
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
    public long reserve() {
        long done = (long) READ.getAcquire(this);
        reserved = written - done > MASK ? RingSpace.FULL
                : RingSpace.find(BYTES, written == done, offsets[(int) done & MASK], end, LONGEST);
        return reserved == RingSpace.FULL ? 0 : base + reserved;
    }

    /** The reading side: a frame has been put where {@link #reserve} said. */
    public void commit(int length) {
        int slot = (int) written & MASK;
        offsets[slot] = reserved;
        lengths[slot] = length;
        end = reserved + (length + ALIGNMENT - 1 & -ALIGNMENT);
        WRITTEN.setRelease(this, written + 1);
    }

    /** The agent's side: fills in the oldest frames, which stay until {@link #free}. */
    public void fill(FrameBurst burst) {
        burst.clear();
        long there = (long) WRITTEN.getAcquire(this);
        for (long next = read; next < there && burst.hasRoom(1); next++) {
            int slot = (int) next & MASK;
            burst.begin(0);
            burst.add(base + offsets[slot], lengths[slot]);
        }
    }

    /** The agent's side: how long the oldest frame is, 0 if there is none. */
    public int length() {
        return isEmpty() ? 0 : lengths[(int) read & MASK];
    }

    /** The agent's side: where the oldest frame is. */
    public long address() {
        return base + offsets[(int) read & MASK];
    }

    /** The agent's side: whether there is no frame. */
    public boolean isEmpty() {
        return (long) WRITTEN.getAcquire(this) == read;
    }

    /** The agent's side: so many of the oldest frames are done with. */
    public void free(int frames) {
        READ.setRelease(this, read + frames);
    }

    /** To be called when both sides have ended. */
    @Override
    public void close() {
        arena.close();
    }
}
