package io.manafold.uring;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Linux;
import io.manafold.linux.SystemCallException;
import io.manafold.memory.RawMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Whole pages that the kernel puts received bytes into by itself, each piece into a page of its own, which is the
 * program's until it gives it back. It belongs to no card: the kernel copies. The ring has wide completions, which say
 * where a piece is. The kernel knows the area until the ring is closed, so close it afterwards. Belongs to the ring's
 * thread.
 */
public final class ReceiveArea implements AutoCloseable {
    /** The most pages of one. */
    public static final int MOST = 32768;

    private static final int REGISTER = 32;
    private static final int CONTROL = 36;
    private static final int NO_DEVICE = 2;
    private static final int OURS = 1;
    private static final int ENTRY = 16;
    /** The kernel's words on the list lie before its entries, in a page at most. */
    private static final int AHEAD = RawMemory.PAGE;
    private static final int AREA_BYTES = 48;
    private static final int REGION_BYTES = 64;
    private static final int ASKED_BYTES = 96;
    private static final int CONTROL_BYTES = 72;
    private static final long PLACE = (1L << 48) - 1;

    private final Ring ring;
    private final int pages;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment control = arena.allocate(CONTROL_BYTES, 8);
    private final long listBytes;
    private final long list;
    private final int mask;
    private final long head;
    private final long tail;
    private final long entries;
    private final long token;
    private final int id;
    private int given;
    private boolean open = true;

    /**
     * Has the kernel know an area.
     *
     * @param address of its first page
     * @throws Refusal what the kernel says; {@code EINVAL} for a ring with narrow completions
     */
    public ReceiveArea(Ring ring, long address, int pages) {
        if (pages < 1 || pages > MOST || (address & RawMemory.PAGE - 1) != 0) {
            arena.close();
            throw new IllegalArgumentException("An area is 1 to " + MOST + " whole pages, not " + pages + " at 0x"
                    + Long.toHexString(address) + ".");
        }
        this.ring = ring;
        this.pages = pages;
        int room = Integer.highestOneBit(pages * 2 - 1);
        listBytes = (long) ENTRY * room + 2 * AHEAD - 1 & -RawMemory.PAGE;
        list = memory(listBytes);
        try {
            MemorySegment area = arena.allocate(AREA_BYTES, 8);
            area.set(JAVA_LONG, 0, address);
            area.set(JAVA_LONG, 8, (long) pages * RawMemory.PAGE);
            MemorySegment region = arena.allocate(REGION_BYTES, 8);
            region.set(JAVA_LONG, 0, list);
            region.set(JAVA_LONG, 8, listBytes);
            region.set(JAVA_INT, 16, OURS);
            MemorySegment asked = arena.allocate(ASKED_BYTES, 8);
            asked.set(JAVA_INT, 8, room);
            asked.set(JAVA_INT, 12, NO_DEVICE);
            asked.set(JAVA_LONG, 16, area.address());
            asked.set(JAVA_LONG, 24, region.address());
            long answer = Limits.patiently(() -> ring.register(REGISTER, asked.address(), 1));
            if (answer < 0) {
                throw Limits.refusal("An area of " + pages + " pages was not made", answer);
            }
            int got = asked.get(JAVA_INT, 8);
            head = list + within(asked.get(JAVA_INT, 32), 4);
            tail = list + within(asked.get(JAVA_INT, 36), 4);
            entries = list + within(asked.get(JAVA_INT, 40), (long) ENTRY * got);
            if (Integer.bitCount(got) != 1 || got < pages) {
                throw new Refusal(Errno.EINVAL, "The kernel made a list of " + got + " pages for an area of " + pages
                        + ".");
            }
            mask = got - 1;
            token = area.get(JAVA_LONG, 16);
            id = asked.get(JAVA_INT, 64);
            control.set(JAVA_INT, 0, id);
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    /** Pages of their own: the kernel keeps them for as long as it likes, whatever becomes of the addresses. */
    private long memory(long bytes) {
        try {
            int file = Linux.memfdCreate("manafold-refill");
            try {
                Linux.truncate(file, bytes);
                return Linux.map(file, 0, bytes, true);
            } finally {
                Linux.close(file);
            }
        } catch (SystemCallException failed) {
            arena.close();
            throw new Refusal(Errno.of(failed.errno()) == null ? Errno.EIO : Errno.of(failed.errno()),
                    "There is no memory for the list of an area: " + failed.getMessage() + ".", failed);
        }
    }

    private long within(int offset, long bytes) {
        if (offset < 0 || (offset & 3) != 0 || bytes < 0 || offset + bytes > listBytes) {
            throw new Refusal(Errno.EINVAL, "The kernel names a part of an area's list that it does not have.");
        }
        return offset;
    }

    /** Its number among those of the ring. */
    public int id() {
        return id;
    }

    /** The page of a completion's {@link Ring#place}, −1 if the area has none with so many bytes there. */
    public int page(long place, int bytes) {
        long offset = place & PLACE;
        long last = offset + bytes - 1;
        return bytes < 1 || last >= (long) pages * RawMemory.PAGE || offset / RawMemory.PAGE != last / RawMemory.PAGE
                ? -1 : (int) (offset / RawMemory.PAGE);
    }

    /** Where in its page a completion's piece begins. */
    public static int inPage(long place) {
        return (int) place & RawMemory.PAGE - 1;
    }

    /** Gives back one piece of a page. */
    public void giveBack(int page) {
        if (given - RawMemory.getAcquire32(head) == mask + 1) {
            flush();
        }
        long entry = entries + (long) ENTRY * (given & mask);
        RawMemory.put64(entry, (long) page * RawMemory.PAGE | token);
        RawMemory.put32(entry + 8, RawMemory.PAGE);
        RawMemory.put32(entry + 12, 0);
        RawMemory.putRelease32(tail, ++given);
    }

    /** How many pieces were given back and not taken by the kernel. */
    public int waiting() {
        return given - RawMemory.getAcquire32(head);
    }

    /**
     * Has the kernel take what was given back; without a card it does not look by itself.
     *
     * @return 0 or more, or a negative error number
     */
    public long flush() {
        return ring.register(CONTROL, control.address(), 0);
    }

    /** Gives the list's memory back; after the ring was closed. */
    @Override
    public void close() {
        if (!open) {
            return;
        }
        open = false;
        try {
            Linux.unmap(list, listBytes);
        } catch (SystemCallException full) {
            // the addresses stay taken, harmlessly: nothing uses them any more
        }
        arena.close();
    }
}
