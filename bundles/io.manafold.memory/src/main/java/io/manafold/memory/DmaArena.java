package io.manafold.memory;

import io.manafold.api.device.DmaSpace;
import io.manafold.api.device.PageTable;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Linux;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * Memory of a driver that its function can reach: one block, lent to the function, handed out in whole pages. It uses
 * as much of the machine's memory as is handed out, and it outlives its closing until the last piece is given back. Any
 * thread may call.
 */
public final class DmaArena implements AutoCloseable {
    private static final int ADVICE_REMOVE = 9;

    private final DmaSpace space;
    private final PageMapping mapping;
    private final DmaBlock block;
    private final MemorySegment memory;
    private final long base;
    private final int pages;
    private final BitSet used = new BitSet();
    /** Free pages that the kernel did not take back, so that they are full of what they held. */
    private final BitSet stale = new BitSet();
    /** No page before it is free. */
    private int firstFree;
    private boolean closed;

    /**
     * Makes a block and lends it.
     *
     * @param base where the function finds it, a multiple of 4096
     * @param bytes how much of it, rounded up to whole pages
     * @throws Refusal what {@link DmaSpace#map} says
     */
    public DmaArena(DmaSpace space, String name, long base, long bytes) {
        this(space, name, base, bytes, false);
    }

    /**
     * As the constructor, but the function reaches of it only what went through {@link #mapping}.
     *
     * @throws Refusal what {@link DmaSpace#mapPaged} says
     */
    public static DmaArena paged(DmaSpace space, String name, long base, long bytes) {
        return new DmaArena(space, name, base, bytes, true);
    }

    private DmaArena(DmaSpace space, String name, long base, long bytes, boolean paged) {
        this.space = space;
        this.base = base;
        block = new DmaBlock(name, bytes);
        memory = RawMemory.segment(block.address(), block.size());
        pages = Math.toIntExact(block.size() / RawMemory.PAGE);
        try {
            mapping = paged ? new Paged(space.mapPaged(base, block.size(), block.fd(), 0, true)) : PageMapping.NONE;
            if (!paged) {
                space.map(base, block.size(), block.fd(), 0, true);
            }
        } catch (RuntimeException refused) {
            block.close();
            throw refused;
        }
    }

    /** What lets the function reach a piece of it: nothing has to be done, unless it is paged. */
    public PageMapping mapping() {
        return mapping;
    }

    /** All of the block, as others may have it. */
    MemorySegment memory() {
        return memory;
    }

    /** Where a piece begins in the block. */
    long offset(DmaPiece piece) {
        return piece.dma() - base;
    }

    /** Zeroed memory of whole pages that follow each other. The machine gives it when it is touched first. */
    public DmaPiece allocate(long bytes) {
        return allocate(bytes, RawMemory.PAGE);
    }

    /**
     * As {@link #allocate(long)}.
     *
     * @param alignment of its place in the block, a power of two from 4096 on
     */
    public DmaPiece allocate(long bytes, int alignment) {
        long wanted = (bytes + RawMemory.PAGE - 1) / RawMemory.PAGE;
        if (bytes <= 0) {
            throw new Refusal(Errno.EINVAL, "Memory of " + bytes + " bytes cannot be taken; ask for at least 1.");
        }
        if (wanted > pages) {
            throw full(wanted);
        }
        int count = (int) wanted;
        DmaPiece piece = reserve(count, alignment / RawMemory.PAGE);
        if (isStale(piece)) {
            RawMemory.clear(piece.pointer(), piece.bytes());
        }
        return piece;
    }

    private synchronized boolean isStale(DmaPiece piece) {
        int at = page(piece);
        int end = at + pages(piece);
        int first = stale.nextSetBit(at);
        stale.clear(at, end);
        return first >= 0 && first < end;
    }

    private int page(DmaPiece piece) {
        return (int) ((piece.dma() - base) / RawMemory.PAGE);
    }

    private static int pages(DmaPiece piece) {
        return (int) (piece.bytes() / RawMemory.PAGE);
    }

    private synchronized DmaPiece reserve(int count, int step) {
        if (closed) {
            throw new Refusal(Errno.ENODEV, "There is no memory any more that the function could reach: its driver has"
                    + " closed it.");
        }
        firstFree = used.nextClearBit(firstFree);
        int at = next(firstFree, step);
        while (at + count <= pages) {
            int end = used.nextSetBit(at);
            if (end < 0 || end - at >= count) {
                used.set(at, at + count);
                long offset = (long) at * RawMemory.PAGE;
                return new DmaPiece(block.address() + offset, base + offset, (long) count * RawMemory.PAGE);
            }
            at = next(used.nextClearBit(end), step);
        }
        throw full(count);
    }

    private Refusal full(long count) {
        return new Refusal(Errno.ENOMEM, "There are no " + count + " pages in a row left of the " + pages
                + " that the driver lent its function; lend more.");
    }

    private static int next(int page, int step) {
        return page + step - 1 & -step;
    }

    /** Gives memory back that the driver does not use any more. */
    public void free(DmaPiece piece) {
        free(List.of(piece));
    }

    /** Gives much back at once: pieces that follow each other cost one call of the kernel. */
    public void free(List<DmaPiece> pieces) {
        BitSet freed = new BitSet();
        for (DmaPiece piece : pieces) {
            freed.set(page(piece), page(piece) + pages(piece));
        }
        checkUsed(freed);
        BitSet kept = new BitSet();
        for (int at = freed.nextSetBit(0); at >= 0; at = freed.nextSetBit(freed.nextClearBit(at))) {
            int end = freed.nextClearBit(at);
            // so that the machine has it, too; where the kernel refuses, it stays ours and is cleared next time
            if (Linux.advise(block.address() + (long) at * RawMemory.PAGE, (long) (end - at) * RawMemory.PAGE,
                    ADVICE_REMOVE) != 0) {
                kept.set(at, end);
            }
        }
        synchronized (this) {
            // a thread that gave the same back meanwhile was first
            checkUsed(freed);
            used.andNot(freed);
            stale.or(kept);
            firstFree = Math.min(firstFree, Math.max(0, freed.nextSetBit(0)));
            if (!closed || !used.isEmpty()) {
                return;
            }
        }
        block.close();
    }

    private synchronized void checkUsed(BitSet freed) {
        BitSet before = (BitSet) freed.clone();
        before.andNot(used);
        if (!before.isEmpty()) {
            throw new IllegalStateException("The pages at 0x"
                    + Long.toHexString(base + (long) before.nextSetBit(0) * RawMemory.PAGE)
                    + " have been given back before.");
        }
    }

    /** How many pages are in use. */
    public synchronized int pagesInUse() {
        return used.cardinality();
    }

    /**
     * Takes the block from the function, which is done when this returns. The memory stays for users who still have a
     * piece of it, and is given back with the last.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        try {
            space.unmap(base, block.size()).toCompletableFuture().join();
        } catch (Refusal | CompletionException _) {
            // a function that has left has no mappings any more, and that is all that was wanted
        }
        if (pagesInUse() == 0) {
            block.close();
        }
    }

    /** Closes and gives all memory back, whatever is out: for a driver that was cut off and forgets its pieces. */
    public void discard() {
        close();
        block.close();
    }

    private record Paged(PageTable table) implements PageMapping {
        @Override
        public void map(DmaPiece page) {
            table.enter(page.dma(), page.bytes());
        }

        @Override
        public void unmap(DmaPiece page) {
            table.remove(page.dma(), page.bytes());
        }
    }
}
