package io.manafold.memory;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/** What is mapped at one moment: ranges sorted by address without sign, never changed once made. */
final class DmaRanges {
    private static final AtomicLong GENERATIONS = new AtomicLong();

    static final DmaRanges NONE = new DmaRanges(new long[0], new long[0], new long[0], new boolean[0],
            new boolean[0], new IoPageTable[0], new long[0], 0);

    final long[] first;
    /** The last address of each, so that a range may end where the address space does. */
    final long[] last;
    /** Where each is mapped here. */
    final long[] raw;
    final boolean[] writable;
    /** Whether the file behind each can never become shorter. */
    final boolean[] sealed;
    /** Of what is reached page by page; {@code null} for the rest. */
    final IoPageTable[] tables;
    /** The size of the pages that each is mapped in. */
    final long[] pages;
    final long bytes;
    /** No other state of any table has the same; never 0. */
    final long generation = GENERATIONS.incrementAndGet();
    /** Which range answered last; a guess that readers share, right or wrong. */
    private int recent;

    private DmaRanges(long[] first, long[] last, long[] raw, boolean[] writable, boolean[] sealed,
            IoPageTable[] tables, long[] pages, long bytes) {
        this.first = first;
        this.last = last;
        this.raw = raw;
        this.writable = writable;
        this.sealed = sealed;
        this.tables = tables;
        this.pages = pages;
        this.bytes = bytes;
    }

    int count() {
        return first.length;
    }

    long pointer(long dma, long length, boolean write) {
        int guess = recent;
        if (guess < first.length) {
            long into = dma - first[guess];
            if (Long.compareUnsigned(into, last[guess] - first[guess]) <= 0) {
                return within(guess, into, length, write);
            }
        }
        int index = holding(dma);
        if (index < 0) {
            return 0;
        }
        recent = index;
        return within(index, dma - first[index], length, write);
    }

    private long within(int index, long into, long length, boolean write) {
        long left = last[index] - first[index] - into;
        return length > 0 && Long.compareUnsigned(length - 1, left) <= 0 && (!write || writable[index])
                && (tables[index] == null || tables[index].reaches(first[index] + into, length))
                ? raw[index] + into
                : 0;
    }

    /** How many bytes lie from an address to the end of its range, 0 if it is in none with that right. */
    long left(long dma, boolean write) {
        int index = holding(dma);
        if (index < 0 || write && !writable[index]) {
            return 0;
        }
        return tables[index] == null ? last[index] - dma + 1 : tables[index].left(dma);
    }

    /** The range that holds an address, or −1. */
    int holding(long dma) {
        int index = notAfter(dma);
        return index >= 0 && Long.compareUnsigned(dma, last[index]) <= 0 ? index : -1;
    }

    /** The last range that starts at an address or before it, or −1. */
    int notAfter(long dma) {
        int low = 0;
        int high = first.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(first[middle], dma) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    /** The first range that reaches into [from, to], or the number of ranges. */
    int firstReaching(long from) {
        int index = notAfter(from);
        return index >= 0 && Long.compareUnsigned(from, last[index]) <= 0 ? index : index + 1;
    }

    /** @param table {@code null} for what is reached as a whole */
    DmaRanges with(long start, long end, long address, boolean mayWrite, boolean isSealed, IoPageTable table,
            long page) {
        int at = notAfter(start) + 1;
        return new DmaRanges(insert(first, at, start), insert(last, at, end), insert(raw, at, address),
                insert(writable, at, mayWrite), insert(sealed, at, isSealed), insert(tables, at, table),
                insert(pages, at, page), bytes + (end - start + 1));
    }

    /** Where the mapping of a range begins, which is with a page. */
    long mapped(int index) {
        return raw[index] & -pages[index];
    }

    /** How long that mapping is, in whole pages. */
    long mappedBytes(int index) {
        long end = raw[index] + (last[index] - first[index] + 1);
        return (end + pages[index] - 1 & -pages[index]) - mapped(index);
    }

    /** Without the ranges from one index up to but not including another. */
    DmaRanges without(int from, int to) {
        long gone = 0;
        for (int i = from; i < to; i++) {
            gone += last[i] - first[i] + 1;
        }
        return new DmaRanges(cut(first, from, to), cut(last, from, to), cut(raw, from, to), cut(writable, from, to),
                cut(sealed, from, to), cut(tables, from, to), cut(pages, from, to), bytes - gone);
    }

    private static long[] insert(long[] values, int at, long value) {
        long[] longer = new long[values.length + 1];
        System.arraycopy(values, 0, longer, 0, at);
        longer[at] = value;
        System.arraycopy(values, at, longer, at + 1, values.length - at);
        return longer;
    }

    private static boolean[] insert(boolean[] values, int at, boolean value) {
        boolean[] longer = Arrays.copyOf(values, values.length + 1);
        System.arraycopy(values, at, longer, at + 1, values.length - at);
        longer[at] = value;
        return longer;
    }

    private static long[] cut(long[] values, int from, int to) {
        long[] shorter = Arrays.copyOf(values, values.length - (to - from));
        System.arraycopy(values, to, shorter, from, values.length - to);
        return shorter;
    }

    private static boolean[] cut(boolean[] values, int from, int to) {
        boolean[] shorter = Arrays.copyOf(values, values.length - (to - from));
        System.arraycopy(values, to, shorter, from, values.length - to);
        return shorter;
    }

    private static IoPageTable[] insert(IoPageTable[] values, int at, IoPageTable value) {
        IoPageTable[] longer = Arrays.copyOf(values, values.length + 1);
        System.arraycopy(values, at, longer, at + 1, values.length - at);
        longer[at] = value;
        return longer;
    }

    private static IoPageTable[] cut(IoPageTable[] values, int from, int to) {
        IoPageTable[] shorter = Arrays.copyOf(values, values.length - (to - from));
        System.arraycopy(values, to, shorter, from, values.length - to);
        return shorter;
    }
}
