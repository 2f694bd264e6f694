package io.manafold.memory;

/**
 * Looks addresses up as {@link DmaTable#pointer} does, and remembers where the last one was: who goes through memory of
 * one mapping finds it in a few comparisons. What it remembers counts only as long as the table has not changed at all,
 * so it is never staler than the table. For one thread at a time, inside a {@link Reader}'s cycle.
 *
 * <p>For many look-ups in a row there is {@link #known}, which looks at the table no more than {@link #renew} did:
 *
 * <pre>{@code
 * cursor.renew();
 * for (…) {
 *     long pointer = cursor.known(address, length, false);
 *     if (pointer == 0) {
 *         pointer = cursor.pointer(address, length, false);
 *     }
 * }
 * }</pre>
 */
public final class DmaCursor {
    private final DmaTable table;
    /** Which state of the table the rest is from. */
    private long generation;
    private long first;
    /** Bytes of the mapping; 0 if none is remembered. */
    private long bytes;
    private long raw;
    private boolean writable;
    private boolean sealed;

    public DmaCursor(DmaTable table) {
        this.table = table;
    }

    public DmaTable table() {
        return table;
    }

    /** See {@link DmaTable#pointer}. */
    public long pointer(long dma, long length, boolean write) {
        DmaRanges now = table.now();
        if ((now.generation != generation || Long.compareUnsigned(dma - first, bytes) >= 0) && !find(now, dma)) {
            return now.pointer(dma, length, write);
        }
        return known(dma, length, write);
    }

    /** Forgets the mapping unless the table is still as it was. Once in a cycle at least, before {@link #known}. */
    public void renew() {
        if (table.now().generation != generation) {
            bytes = 0;
        }
    }

    /** The pointer, if all lies in the mapping that is remembered; else 0, and {@link #pointer} may know more. */
    public long known(long dma, long length, boolean write) {
        long into = dma - first;
        return Long.compareUnsigned(into, bytes) < 0 && length > 0
                && Long.compareUnsigned(length, bytes - into) <= 0 && (!write || writable)
                ? raw + into
                : 0;
    }

    /**
     * Whether an address lies in the mapping that is remembered, and the file behind that can never become shorter:
     * then its memory may be computed over in place.
     */
    public boolean isSealed(long dma) {
        return sealed && Long.compareUnsigned(dma - first, bytes) < 0;
    }

    /** False for what is reached page by page: of that nothing can be remembered. */
    private boolean find(DmaRanges now, long dma) {
        int index = now.holding(dma);
        if (index < 0) {
            bytes = 0;
            return true;
        }
        if (now.tables[index] != null) {
            return false;
        }
        first = now.first[index];
        bytes = now.last[index] - first + 1;
        raw = now.raw[index];
        writable = now.writable[index];
        sealed = now.sealed[index];
        generation = now.generation;
        return true;
    }
}
