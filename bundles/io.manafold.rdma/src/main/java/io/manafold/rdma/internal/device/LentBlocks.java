package io.manafold.rdma.internal.device;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.memory.LentBlock;
import io.manafold.memory.MemoryBorrower;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Blocks that the function reaches, each once, however many regions lie in it. Any thread may call. */
final class LentBlocks implements AutoCloseable {
    private final MemoryBorrower memory;
    private final Map<MemoryBlock, Lent> lent = new IdentityHashMap<>();
    private final AtomicInteger region = new AtomicInteger();

    private static final class Lent {
        private final LentBlock block;
        private int regions;
        /** A region of it has been given up by the driver, and not by the device. */
        private boolean stale;

        Lent(LentBlock block) {
            this.block = block;
        }
    }

    LentBlocks(MemoryBorrower memory) {
        this.memory = memory;
    }

    /** Tells regions apart, and nothing of their keys. */
    int nextRegion() {
        return region.incrementAndGet();
    }

    /** Has a block stay reachable until it is given back as often. */
    synchronized LentBlock take(MemoryBlock block) {
        Lent there = lent.get(block);
        if (there == null) {
            there = new Lent(memory.lend(block));
            lent.put(block, there);
        }
        there.regions++;
        return there.block;
    }

    /** @param clean whether the device has given up the region as well */
    synchronized void giveBack(MemoryBlock block, boolean clean) {
        Lent there = lent.get(block);
        if (there == null) {
            return;
        }
        there.stale |= !clean;
        if (--there.regions == 0) {
            lent.remove(block);
            if (there.stale) {
                there.block.retire();
            } else {
                there.block.close();
            }
        }
    }

    /** No region is left. */
    @Override
    public synchronized void close() {
        lent.values().forEach(one -> one.block.close());
        lent.clear();
    }
}
