package io.manafold.adapter.internal.queue;

import io.manafold.memory.DmaCursor;
import io.manafold.memory.DmaTable;

/**
 * The memory of a queue: a list of pages anywhere in the memory that the function can reach. A page is looked up each
 * time it is touched, since the guest may take it away at any moment. For one thread at a time.
 */
public final class QueueMemory {
    /** The unit of page lists, whatever the driver's own page size. */
    public static final int PAGE = 4096;

    private final DmaCursor cursor;
    private final long[] pages;
    private final int bytes;

    /** @param bytes how much of the pages is used; at least one byte, at most all of them */
    public QueueMemory(DmaTable table, long[] pages4k, int bytes) {
        if (bytes <= 0 || bytes > (long) pages4k.length * PAGE) {
            throw new IllegalArgumentException(bytes + " bytes in " + pages4k.length + " pages");
        }
        this.cursor = new DmaCursor(table);
        this.pages = pages4k.clone();
        this.bytes = bytes;
    }

    public int bytes() {
        return bytes;
    }

    /**
     * Where a byte of the queue lies.
     *
     * @param offset from 0 up to {@link #bytes} exclusive
     * @return a pointer that is good up to the end of the byte's 4 KiB page, or 0 if the guest took the memory away
     */
    public long at(int offset) {
        int inPage = offset & (PAGE - 1);
        return cursor.pointer(pages[offset >>> 12] + inPage, PAGE - inPage, true);
    }
}
