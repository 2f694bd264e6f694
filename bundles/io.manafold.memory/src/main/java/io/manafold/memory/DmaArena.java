package io.manafold.memory;

import io.manafold.api.device.DmaSpace;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.BitSet;
import java.util.concurrent.CompletionException;

/** Memory of a driver that its function can reach: one block, lent to the function, handed out in whole pages. */
public final class DmaArena implements AutoCloseable {
    private final DmaSpace space;
    private final DmaBlock block;
    private final long base;
    private final int pages;
    private final BitSet used = new BitSet();

    /**
     * Makes a block and lends it.
     *
     * @param base where the function finds it, a multiple of 4096
     * @param bytes at most 2 GiB
     * @throws Refusal what {@link DmaSpace#map} says
     */
    public DmaArena(DmaSpace space, String name, long base, int bytes) {
        this.space = space;
        this.base = base;
        block = new DmaBlock(name, bytes);
        pages = (int) (block.size() / RawMemory.PAGE);
        try {
            space.map(base, block.size(), block.fd(), 0, true);
        } catch (RuntimeException refused) {
            block.close();
            throw refused;
        }
    }

    /** Zeroed memory of whole pages that follow each other. */
    public synchronized DmaPiece allocate(int bytes) {
        int count = (int) ((bytes + RawMemory.PAGE - 1L) / RawMemory.PAGE);
        int at = used.nextClearBit(0);
        while (at + count <= pages) {
            int end = used.nextSetBit(at);
            if (end < 0 || end - at >= count) {
                used.set(at, at + count);
                long offset = (long) at * RawMemory.PAGE;
                DmaPiece piece = new DmaPiece(block.address() + offset, base + offset, count * RawMemory.PAGE);
                RawMemory.clear(piece.pointer(), piece.bytes());
                return piece;
            }
            at = used.nextClearBit(end);
        }
        throw new Refusal(Errno.ENOMEM, "There are no " + count + " pages in a row left of the " + pages
                + " that the driver lent its function; lend more.");
    }

    /** Gives memory back that the function uses no more. */
    public synchronized void free(DmaPiece piece) {
        int at = (int) ((piece.dma() - base) / RawMemory.PAGE);
        used.clear(at, at + piece.bytes() / RawMemory.PAGE);
    }

    /** How many pages are in use. */
    public synchronized int pagesInUse() {
        return used.cardinality();
    }

    /** Takes the block from the function and gives it back. */
    @Override
    public void close() {
        try {
            space.unmap(base, block.size()).toCompletableFuture().join();
        } catch (Refusal | CompletionException _) {
            // a function that has left has no mappings any more, and that is all that was wanted
        } finally {
            block.close();
        }
    }
}
