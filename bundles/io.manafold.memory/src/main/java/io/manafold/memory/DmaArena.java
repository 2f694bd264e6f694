package io.manafold.memory;

import io.manafold.api.device.DmaSpace;
import io.manafold.api.device.PageTable;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Linux;
import java.util.BitSet;
import java.util.concurrent.CompletionException;

/**
 * Memory of a driver that its function can reach: one block, lent to the function, handed out in whole pages. It uses as
 * much of the machine's memory as is handed out, and it outlives its closing until the last piece is given back. Any
 * thread may call.
 */
public final class DmaArena implements AutoCloseable {
    private static final int ADVICE_REMOVE = 9;

    private final DmaSpace space;
    private final PageMapping mapping;
    private final DmaBlock block;
    private final long base;
    private final int pages;
    private final BitSet used = new BitSet();
    /** No page before it is free. */
    private int firstFree;
    private boolean closed;

    /**
     * Makes a block and lends it.
     *
     * @param base where the function finds it, a multiple of 4096
     * @param bytes at most 2 GiB
     * @throws Refusal what {@link DmaSpace#map} says
     */
    public DmaArena(DmaSpace space, String name, long base, int bytes) {
        this(space, name, base, bytes, false);
    }

    /**
     * As the constructor, but the function reaches of it only what went through {@link #mapping}.
     *
     * @throws Refusal what {@link DmaSpace#mapPaged} says
     */
    public static DmaArena paged(DmaSpace space, String name, long base, int bytes) {
        return new DmaArena(space, name, base, bytes, true);
    }

    private DmaArena(DmaSpace space, String name, long base, int bytes, boolean paged) {
        this.space = space;
        this.base = base;
        block = new DmaBlock(name, bytes);
        pages = (int) (block.size() / RawMemory.PAGE);
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

    /** Zeroed memory of whole pages that follow each other. */
    public DmaPiece allocate(int bytes) {
        return allocate(bytes, RawMemory.PAGE);
    }

    /**
     * As {@link #allocate(int)}.
     *
     * @param alignment of its place in the block, a power of two from 4096 on
     */
    public DmaPiece allocate(int bytes, int alignment) {
        int count = (int) ((bytes + RawMemory.PAGE - 1L) / RawMemory.PAGE);
        DmaPiece piece = reserve(count, alignment / RawMemory.PAGE);
        RawMemory.clear(piece.pointer(), piece.bytes());
        return piece;
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
                return new DmaPiece(block.address() + offset, base + offset, count * RawMemory.PAGE);
            }
            at = next(used.nextClearBit(end), step);
        }
        throw new Refusal(Errno.ENOMEM, "There are no " + count + " pages in a row left of the " + pages
                + " that the driver lent its function; lend more.");
    }

    private static int next(int page, int step) {
        return page + step - 1 & -step;
    }

    /** Gives memory back that nobody uses any more. */
    public void free(DmaPiece piece) {
        // so that the machine has it, too; where the kernel refuses, it stays ours and is as good next time
        Linux.advise(piece.pointer(), piece.bytes(), ADVICE_REMOVE);
        synchronized (this) {
            int at = (int) ((piece.dma() - base) / RawMemory.PAGE);
            int end = at + piece.bytes() / RawMemory.PAGE;
            if (used.nextClearBit(at) < end) {
                throw new IllegalStateException("The pages at 0x" + Long.toHexString(piece.dma())
                        + " have been given back before.");
            }
            used.clear(at, end);
            firstFree = Math.min(firstFree, at);
            if (!closed || !used.isEmpty()) {
                return;
            }
        }
        block.close();
    }

    /** How many pages are in use. */
    public synchronized int pagesInUse() {
        return used.cardinality();
    }

    /**
     * Takes the block from the function, which is done when this returns. The memory stays for whoever still has a piece
     * of it, and is given back with the last.
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
