package io.manafold.adapter.internal;

import io.manafold.adapter.internal.queue.QueueMemory;

/** A list of pages that a driver described, to become the memory of a queue or of a memory region. */
final class Region {
    private final long handle;
    private final long length;
    private final int offset;
    private final int pageShift;
    private final long[] pages;
    private int filled;

    Region(long handle, long length, int offset, int pageShift, int pages) {
        this.handle = handle;
        this.length = length;
        this.offset = offset;
        this.pageShift = pageShift;
        this.pages = new long[pages];
    }

    long handle() {
        return handle;
    }

    int total() {
        return pages.length;
    }

    boolean isComplete() {
        return filled == pages.length;
    }

    /** Takes more of the list; refused, with nothing taken, if it is too long or not of whole pages. */
    void add(long[] more) {
        if (more.length > pages.length - filled) {
            throw Refused.invalid("a region has as many addresses as it was announced with: " + pages.length,
                    "send " + (pages.length - filled) + " addresses more at most");
        }
        long unit = (1L << pageShift) - 1;
        for (long address : more) {
            if ((address & unit) != 0) {
                throw Refused.invalid("page addresses are multiples of the page size, 0x" + Long.toHexString(address)
                        + " is none of 0x" + Long.toHexString(unit + 1), "give the address of the page's first byte");
            }
        }
        System.arraycopy(more, 0, pages, filled, more.length);
        filled += more.length;
    }

    /** The pages of a queue, 4 KiB each; refused if they are not enough or do not start with a page. */
    long[] queuePages(int bytes) {
        if (!isComplete()) {
            throw Refused.invalid("a region is complete before it becomes a queue; " + filled + " of " + pages.length
                    + " pages are known", "send the rest of the page list first");
        }
        if (offset != 0 || length < bytes) {
            throw Refused.invalid("a queue's memory starts with a page and is as long as the queue; this region has "
                    + length + " bytes from offset " + offset, "describe a region of " + bytes
                    + " bytes from offset 0");
        }
        long[] list = new long[bytes / QueueMemory.PAGE];
        int perPage = pageShift - 12;
        for (int i = 0; i < list.length; i++) {
            list[i] = pages[i >> perPage] + ((long) (i & (1 << perPage) - 1) << 12);
        }
        return list;
    }
}
