package io.manafold.adapter.internal;

import io.manafold.adapter.internal.queue.KeyedMemory;
import io.manafold.adapter.internal.queue.QueueMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** A list of pages that a driver described, to become the memory of a queue or of a memory region. */
final class Region {
    private static final long[] NONE = {};

    private final long handle;
    private final long length;
    private final int offset;
    private final int pageShift;
    private final int total;
    /** As long as what was sent asks for, not as what was announced: a short message costs little. */
    private long[] pages = NONE;
    private int filled;

    Region(long handle, long length, int offset, int pageShift, int pages) {
        this.handle = handle;
        this.length = length;
        this.offset = offset;
        this.pageShift = pageShift;
        this.total = pages;
    }

    long handle() {
        return handle;
    }

    /** Bytes. */
    long length() {
        return length;
    }

    int total() {
        return total;
    }

    /** Addresses that there is room for. */
    int room() {
        return pages.length;
    }

    boolean isComplete() {
        return filled == total;
    }

    /** Takes more of the list; refused, with nothing taken, if it is too long or not of whole pages. */
    void add(long[] more) {
        if (more.length > total - filled) {
            throw CommandException.invalid("a region has as many addresses as it was announced with: " + total,
                    "send " + (total - filled) + " addresses more at most");
        }
        long unit = (1L << pageShift) - 1;
        for (long address : more) {
            if ((address & unit) != 0) {
                throw CommandException.invalid("page addresses are multiples of the page size, 0x"
                        + Long.toHexString(address) + " is none of 0x" + Long.toHexString(unit + 1),
                        "give the address of the page's first byte");
            }
        }
        if (filled + more.length > pages.length) {
            pages = Arrays.copyOf(pages, Math.min(total, Math.max(filled + more.length, 2 * pages.length)));
        }
        System.arraycopy(more, 0, pages, filled, more.length);
        filled += more.length;
    }

    /** The queue or key that was made of this region has a list of its own. */
    void forgetPages() {
        pages = NONE;
    }

    /** What a key of this region stands for, which starts at an address. */
    KeyedMemory keyed(long start) {
        MemorySegment list = Arena.ofAuto().allocate(ValueLayout.JAVA_LONG, total);
        MemorySegment.copy(pages, 0, list, ValueLayout.JAVA_LONG, 0, total);
        return new KeyedMemory(start, length, offset, pageShift, list);
    }

    /** The pages of a queue, 4 KiB each; refused if they are not enough or do not start with a page. */
    long[] queuePages(int bytes) {
        if (!isComplete()) {
            throw CommandException.invalid("a region is complete before it becomes a queue; " + filled + " of " + total
                    + " pages are known", "send the rest of the page list first");
        }
        if (offset != 0 || length < bytes) {
            throw CommandException.invalid(
                    "a queue's memory starts with a page and is as long as the queue; this region has "
                    + length + " bytes from offset " + offset, "describe a region of " + bytes
                    + " bytes from offset 0");
        }
        long[] list = new long[(bytes + QueueMemory.PAGE - 1) / QueueMemory.PAGE];
        int perPage = pageShift - 12;
        for (int i = 0; i < list.length; i++) {
            list[i] = pages[i >> perPage] + ((long) (i & (1 << perPage) - 1) << 12);
        }
        return list;
    }
}
