package io.manafold.adapter.internal.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What a memory key stands for: all memory of the function by its own addresses, or the pages of a registered region by the
 * addresses that it was registered for. Never changes, so any agent may ask while the key is taken away.
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

    /**
     * A registered region.
     *
     * @param start the address of its first byte, as requests name it
     * @param offset where that lies in the first page
     * @param pages where they lie by the function's addresses, eight bytes each; kept, outside of the heap since there may be
     *         hundreds of thousands
     */
    public KeyedMemory(long start, long length, int offset, int pageShift, MemorySegment pages) {
        this.start = start;
        this.length = length;
        this.offset = offset;
        this.pageShift = pageShift;
        this.pages = pages;
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
        long at = address - start + offset;
        return pages.getAtIndex(ValueLayout.JAVA_LONG, at >>> pageShift) + (at & (1L << pageShift) - 1);
    }

    /** Bytes from one that the region holds to the end of its page. */
    public long inPage(long address) {
        return (1L << pageShift) - (address - start + offset & (1L << pageShift) - 1);
    }

    /** The function's address of memory that lies in one page of the region; −1 if it does not, or not in the region. */
    public long translateWhole(long address, int bytes) {
        return holds(address, bytes) && inPage(address) >= bytes ? translate(address) : -1;
    }
}
