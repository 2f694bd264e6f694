package io.manafold.memory;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;

/**
 * What one driver lends a function. All of it goes from the function when the driver ends, and at once; packets that
 * are still out stay valid, and their memory goes with the last. Any thread may call.
 */
public final class MemoryBorrower implements AutoCloseable {
    /** Used as it is needed. */
    private static final long ARENA = 1L << 30;
    /** Pages of a block are in place at once up to here: more might be memory that the machine does not have. */
    private static final long MOST_BYTES_AT_ONCE = 64L << 20;

    private final FunctionMemory memory;
    private final String name;
    private final List<LentBlock> lent = new ArrayList<>();
    /** Addresses of blocks that were taken back, and that no other may have before this ends. */
    private final List<Long> retired = new ArrayList<>();
    /** {@code null} until they are wanted. */
    private volatile DmaArena whole;
    private volatile DmaArena paged;
    private long wholeAt;
    private long pagedAt;
    private boolean closed;

    MemoryBorrower(FunctionMemory memory, String name) {
        this.memory = memory;
        this.name = name;
    }

    public String name() {
        return name;
    }

    /** Memory of its own that the function reaches all the time. */
    public DmaArena whole() {
        DmaArena there = whole;
        return there != null ? there : makeWhole();
    }

    private synchronized DmaArena makeWhole() {
        if (whole == null) {
            checkOpen();
            whole = memory.map(ARENA, at -> {
                wholeAt = at;
                return new DmaArena(memory.space(), "manafold-" + memory.function() + "-" + name, at, ARENA);
            });
        }
        return whole;
    }

    /** Where receive pages come from that are mapped in that way. */
    public synchronized DmaArena pages(ReceiveMapping mapping) {
        if (mapping == ReceiveMapping.ARENA) {
            return whole();
        }
        if (paged == null) {
            checkOpen();
            paged = memory.map(ARENA, at -> {
                pagedAt = at;
                return DmaArena.paged(memory.space(), "manafold-pages-" + memory.function() + "-" + name, at, ARENA);
            });
        }
        return paged;
    }

    private void checkOpen() {
        if (closed) {
            throw memory.left();
        }
    }

    /**
     * Lends a block, which stays until it is taken back or this ends.
     *
     * @throws Refusal what {@link io.manafold.api.device.DmaSpace#map} says, {@code ENODEV} for a block that has gone
     */
    public LentBlock lend(MemoryBlock block) {
        MemoryBlock.Hold hold = block.hold(name + " of " + memory.function());
        long address;
        try {
            address = memory.map(block.size(), at -> {
                memory.space().map(at, block.size(), block.descriptor(), 0, true);
                memory.space().populate(at, Math.min(block.size(), MOST_BYTES_AT_ONCE));
                return at;
            });
        } catch (RuntimeException refused) {
            hold.close();
            throw refused;
        }
        LentBlock made = new LentBlock(this, block, hold, address);
        synchronized (this) {
            if (!closed) {
                lent.add(made);
                return made;
            }
        }
        made.close();
        throw memory.left();
    }

    void takeBack(LentBlock block, long address, long bytes, boolean isRetired) {
        boolean stays;
        synchronized (this) {
            lent.remove(block);
            stays = isRetired && !closed;
            if (stays) {
                retired.add(address);
            }
        }
        try {
            memory.space().unmap(address, bytes).toCompletableFuture().join();
        } catch (Refusal | CompletionException _) {
            // a function that has left has no mappings any more, and that is all that was wanted
        }
        if (!stays) {
            memory.giveBack(address);
        }
    }

    /**
     * Whether the function reaches packets of a pool after they were received, so that they can be sent where they are.
     */
    public boolean reaches(PagePool pool) {
        return pool.arena() == whole || pool.arena() == paged && !pool.mapping().isRepeated();
    }

    /** Pages of 4 KiB of its own that are in use. */
    public int pagesInUse() {
        DmaArena first = whole;
        DmaArena second = paged;
        return (first == null ? 0 : first.pagesInUse()) + (second == null ? 0 : second.pagesInUse());
    }

    /** Whether it has ended and nothing of it is out. */
    boolean isOver() {
        return isClosed() && pagesInUse() == 0;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** Blocks that it has lent. */
    public synchronized int blocks() {
        return lent.size();
    }

    /** Takes all of it from the function; the memory goes with the last piece that is out. */
    @Override
    public void close() {
        List<LentBlock> left;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            left = new ArrayList<>(lent);
        }
        left.forEach(LentBlock::close);
        retired.forEach(memory::giveBack);
        if (whole != null) {
            whole.close();
            memory.giveBack(wholeAt);
        }
        if (paged != null) {
            paged.close();
            memory.giveBack(pagedAt);
        }
    }
}
