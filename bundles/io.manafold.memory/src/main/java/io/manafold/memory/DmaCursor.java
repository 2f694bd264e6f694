package io.manafold.memory;

/**
 * Looks addresses up as {@link DmaTable#pointer} does, and remembers where the last one was: who goes through memory of
 * one mapping finds it in a few comparisons. What it remembers counts only as long as the table has not changed at all,
 * so it is never staler than the table. For one thread at a time, inside a {@link Reader}'s cycle.
 */
public final class DmaCursor {
    private final DmaTable table;
    /** Which state of the table the rest is from. */
    private long generation;
    private long first;
    /** The last byte of the mapping, from its first. */
    private long span;
    private long raw;
    private boolean writable;

    public DmaCursor(DmaTable table) {
        this.table = table;
    }

    public DmaTable table() {
        return table;
    }

    /** See {@link DmaTable#pointer}. */
    public long pointer(long dma, long length, boolean write) {
        DmaRanges now = table.now();
        long into = dma - first;
        if (now.generation != generation || Long.compareUnsigned(into, span) > 0) {
            return find(now, dma, length, write);
        }
        return within(into, length, write);
    }

    private long find(DmaRanges now, long dma, long length, boolean write) {
        int index = now.holding(dma);
        if (index < 0) {
            return 0;
        }
        first = now.first[index];
        span = now.last[index] - first;
        raw = now.raw[index];
        writable = now.writable[index];
        generation = now.generation;
        return within(dma - first, length, write);
    }

    private long within(long into, long length, boolean write) {
        return length > 0 && Long.compareUnsigned(length - 1, span - into) <= 0 && (!write || writable)
                ? raw + into
                : 0;
    }
}
