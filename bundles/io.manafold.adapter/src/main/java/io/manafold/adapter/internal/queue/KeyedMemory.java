package io.manafold.adapter.internal.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What a memory key stands for: all memory of the function by its own addresses, or the pages of a registered region by
 * the addresses that it was registered for. Never changes, so any agent may ask while the key is taken away.
 *
 * <p>Pages that follow each other are one: then nothing is looked up, and nothing ends at a page.
 */
public final class KeyedMemory {
    /** All memory of the function. */
    public static final KeyedMemory WHOLE = new KeyedMemory(0, 0, 0, 0, null);

    /** No memory at all. */
    public static final KeyedMemory NONE = new KeyedMemory(0, -1, 0, 0, MemorySegment.NULL);

    private final long start;
    private final long length;
    private final int offset;
    private final int pageShift;
    private final MemorySegment pages;
    /** Whether each page follows the one before it, and where the first one lies. */
    private final boolean straight;
    private final long first;

    /**
     * A registered region.
     *
     * @param start the address of its first byte, as requests name it
     * @param offset where that lies in the first page
     * @param pages where they lie by the function's addresses, eight bytes each; kept, outside of the heap since there
     *     may be hundreds of thousands
     */
    public KeyedMemory(long start, long length, int offset, int pageShift, MemorySegment pages) {
        this.start = start;
        this.length = length;
        this.offset = offset;
        this.pageShift = pageShift;
        this.pages = pages;
        straight = pages != null && followEachOther(pages, pageShift);
        first = straight ? pages.getAtIndex(ValueLayout.JAVA_LONG, 0) + offset : 0;
    }

    private static boolean followEachOther(MemorySegment pages, int pageShift) {
        long count = pages.byteSize() / Long.BYTES;
        long expected = count == 0 ? 0 : pages.getAtIndex(ValueLayout.JAVA_LONG, 0);
        for (long i = 0; i < count; i++, expected += 1L << pageShift) {
            if (pages.getAtIndex(ValueLayout.JAVA_LONG, i) != expected) {
                return false;
            }
        }
        return count > 0;
    }

    /** Whether addresses under the key are the function's own. */
    public boolean isWhole() {
        return pages == null;
    }

    /** Whether all of some memory lies in the region. */
    public boolean holds(long address, int bytes) {
        long at = address - start;
        return bytes >= 0 && at >= 0 && at <= length - bytes;
    }

    /** The function's address of a byte that the region holds. */
    public long translate(long address) {
        if (straight) {
            return first + (address - start);
        }
        long at = address - start + offset;
        return pages.getAtIndex(ValueLayout.JAVA_LONG, at >>> pageShift) + (at & (1L << pageShift) - 1);
    }

    /** How many bytes lie one behind the other by the function's addresses, from one that the region holds. */
    public long straight(long address) {
        long at = address - start;
        return straight ? length - at : (1L << pageShift) - (at + offset & (1L << pageShift) - 1);
    }

    /**
     * The function's address of memory that lies in one piece in the region; −1 if it does not, or not in the region.
     */
    public long translateWhole(long address, int bytes) {
        return holds(address, bytes) && (straight || straight(address) >= bytes) ? translate(address) : -1;
    }
}
