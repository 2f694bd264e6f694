package io.manafold.uring;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.manafold.memory.RawMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Buffers that the kernel takes by itself, in the order in which they were added: to receive into when something comes,
 * or to send from, all that are there at once. Close before the ring. Belongs to the ring's thread.
 */
public final class BufferRing implements AutoCloseable {
    /** The most buffers of one. */
    public static final int MOST = 32768;

    private static final int REGISTER = 22;
    private static final int UNREGISTER = 23;
    private static final int ENTRY = 16;
    private static final int TAIL = 14;

    private final Ring ring;
    private final int group;
    private final Arena arena = Arena.ofShared();
    private final long base;
    private final int mask;
    private int tail;
    private boolean open = true;

    /**
     * An empty one.
     *
     * @param entries how many buffers it has room for, a power of two
     * @param group its number among those of the ring
     * @throws io.manafold.api.refusal.Refusal what the kernel says
     */
    public BufferRing(Ring ring, int entries, int group) {
        if (entries < 1 || entries > MOST || Integer.bitCount(entries) != 1) {
            arena.close();
            throw new IllegalArgumentException("A ring of buffers has room for a power of two up to " + MOST
                    + ", not for " + entries + ".");
        }
        this.ring = ring;
        this.group = group;
        mask = entries - 1;
        // whole pages of its own: the kernel pins them
        long bytes = (long) ENTRY * entries + RawMemory.PAGE - 1 & -RawMemory.PAGE;
        MemorySegment memory = arena.allocate(bytes, RawMemory.PAGE);
        base = memory.address();
        MemorySegment asked = arena.allocate(40, 8);
        asked.set(JAVA_LONG, 0, base);
        asked.set(JAVA_INT, 8, entries);
        asked.set(JAVA_SHORT, 12, (short) group);
        long answer = Limits.patiently(() -> ring.register(REGISTER, asked.address(), 1));
        if (answer < 0) {
            arena.close();
            throw Limits.refusal("A ring of " + entries + " buffers was not made", answer);
        }
    }

    /** Its number among those of the ring. */
    public int group() {
        return group;
    }

    /** How many buffers it has room for. */
    public int capacity() {
        return mask + 1;
    }

    /**
     * Adds a buffer that the kernel sees with {@link #publish}. Never more than {@link #capacity} are out. A ring that
     * was closed takes none: its memory is gone.
     */
    public void add(long address, int bytes, int id) {
        if (!open) {
            return;
        }
        long entry = base + (long) ENTRY * (tail & mask);
        RawMemory.put64(entry, address);
        RawMemory.put32(entry + 8, bytes);
        // the last two bytes of the first entry are the tail of the ring
        RawMemory.put16(entry + 12, id);
        tail++;
    }

    /** Shows the kernel what was added. */
    public void publish() {
        if (open) {
            RawMemory.putRelease16(base + TAIL, tail);
        }
    }

    /** The ring was closed before: only its memory is left. */
    public void abandon() {
        if (open) {
            open = false;
            arena.close();
        }
    }

    /** Takes it from the ring, with all buffers that are in it. */
    @Override
    public void close() {
        if (!open) {
            return;
        }
        open = false;
        try (Arena words = Arena.ofConfined()) {
            MemorySegment asked = words.allocate(40, 8);
            asked.set(JAVA_SHORT, 12, (short) group);
            ring.register(UNREGISTER, asked.address(), 1);
        }
        arena.close();
    }
}
