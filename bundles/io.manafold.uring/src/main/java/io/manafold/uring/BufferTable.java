package io.manafold.uring;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/**
 * Memory that a ring knows by slots. The kernel pins the pages that are there when a slot is filled, and goes on using
 * these whatever becomes of the addresses; so memory is given back only after its slot was cleared and the completion
 * with the slot's tag has come. Close before the ring: memory that a closed ring had locked comes back late. Belongs to
 * the ring's thread.
 */
public final class BufferTable implements AutoCloseable {
    /** The most slots that a kernel gives. */
    public static final int MOST = 16384;

    private static final int UNREGISTER = 1;
    private static final int REGISTER = 15;
    private static final int UPDATE = 16;
    private static final int SPARSE = 1;
    private static final int ASKED = 32;
    /** So long after memory was waited for in vain more of it is asked for once only. */
    private static final long IMPATIENT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Ring ring;
    private final int slots;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment words = arena.allocate(ASKED + 24, 8);
    private boolean open = true;
    private boolean wasRefused;
    private long refusedAt;

    /**
     * A table of empty slots; a ring has one at most.
     *
     * @throws io.manafold.api.refusal.Refusal what the kernel says
     */
    public BufferTable(Ring ring, int slots) {
        this.ring = ring;
        this.slots = slots;
        words.set(JAVA_INT, 0, slots);
        words.set(JAVA_INT, 4, SPARSE);
        long answer = Limits.patiently(() -> ring.register(REGISTER, words.address(), ASKED));
        if (answer < 0) {
            arena.close();
            throw Limits.refusal("A table for " + slots + " registered buffers was not made", answer);
        }
    }

    /** How many slots it has. */
    public int slots() {
        return slots;
    }

    /**
     * Fills a slot. While memory cannot be locked that may take a tenth of a second, but once in a second at most: the
     * thread has other things to do.
     *
     * @param tag of the completion that comes when the slot has been cleared and nothing uses the memory any more
     * @throws io.manafold.api.refusal.Refusal {@code ENOMEM} if this user may not lock so much
     */
    public void set(int slot, long address, long bytes, long tag) {
        boolean isPatient = !wasRefused || System.nanoTime() - refusedAt > IMPATIENT_NANOS;
        long answer = isPatient ? Limits.patiently(() -> update(slot, address, bytes, tag))
                : update(slot, address, bytes, tag);
        if (isPatient) {
            wasRefused = answer == -Limits.ENOMEM;
            refusedAt = System.nanoTime();
        }
        if (answer < 1) {
            throw Limits.refusal(bytes + " bytes of memory were not registered", answer == 0 ? -Limits.EINVAL : answer,
                    isPatient);
        }
    }

    /**
     * Clears a slot; its tag comes when nothing uses its memory any more. Answers false for a slot that does not exist.
     */
    public boolean clear(int slot) {
        return update(slot, 0, 0, 0) == 1;
    }

    private long update(int slot, long address, long bytes, long tag) {
        long base = words.address();
        words.set(JAVA_INT, 0, slot);
        words.set(JAVA_INT, 4, 0);
        words.set(JAVA_LONG, 8, base + ASKED);
        words.set(JAVA_LONG, 16, base + ASKED + 16);
        words.set(JAVA_INT, 24, 1);
        words.set(JAVA_INT, 28, 0);
        words.set(JAVA_LONG, ASKED, address);
        words.set(JAVA_LONG, ASKED + 8, bytes);
        words.set(JAVA_LONG, ASKED + 16, tag);
        return ring.register(UPDATE, base, ASKED);
    }

    /** The ring was closed before: only its memory is left. */
    public void abandon() {
        if (open) {
            open = false;
            arena.close();
        }
    }

    /** Clears all slots at once. */
    @Override
    public void close() {
        if (open) {
            open = false;
            ring.register(UNREGISTER, 0, 0);
            arena.close();
        }
    }
}
