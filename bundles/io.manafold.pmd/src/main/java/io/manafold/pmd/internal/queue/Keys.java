package io.manafold.pmd.internal.queue;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.ExternalBuffer;
import io.manafold.memory.PacketPool;
import java.util.ArrayList;
import java.util.List;

/**
 * By which addresses and keys a port's device knows the blocks of pools: a pool is registered whole, when a queue meets
 * its first packet. It stays so until the port stops, or until another is registered after it has gone: pools of
 * secondaries come and go.
 */
public final class Keys implements AutoCloseable {
    private static final Entry NONE = new Entry(null, 0, 0, 0);

    private final ProtectionDomain domain;
    private final List<Registered> registered = new ArrayList<>();
    private final Entry[] entries = new Entry[PacketPool.MOST_POOLS];
    /** By the numbers of external buffers: what is known of them. */
    private final ExternalBuffer[] buffers = new ExternalBuffer[ExternalBuffer.MOST];
    private final MemoryRegion[] regions = new MemoryRegion[ExternalBuffer.MOST];
    private boolean closed;

    /**
     * What is known of a pool.
     *
     * @param pool {@code null} for one that cannot be had
     * @param base address of its first packet in requests
     * @param limit where the last byte of a packet's data ends at most
     */
    record Entry(PacketPool pool, long base, int key, int limit) {
    }

    /** A block that is a pool's, or has external buffers, of which there is no pool. */
    private record Registered(PacketPool pool, MemoryBlock block, MemoryRegion region) {
        boolean isGone() {
            return pool == null ? !ExternalBuffer.isUsed(block) : PacketPool.numbered(pool.number()) != pool;
        }
    }

    public Keys(ProtectionDomain domain) {
        this.domain = domain;
    }

    /** Of a packet to be sent; without a pool if its memory cannot be registered. */
    Entry of(int packet) {
        PacketPool pool = PacketPool.of(packet);
        Entry entry = entries[packet >>> 24];
        return entry != null && entry.pool == pool ? entry : pool == null ? NONE : tryRegister(pool);
    }

    /** A pool whose memory no device has to know. */
    void know(Entry entry) {
        entries[entry.pool.number()] = entry;
    }

    private Entry tryRegister(PacketPool pool) {
        try {
            return register(pool);
        } catch (Refusal refused) {
            return NONE;
        }
    }

    /** @throws Refusal what the device says */
    synchronized Entry register(PacketPool pool) {
        Entry before = entries[pool.number()];
        if (before != null && before.pool == pool) {
            return before;
        }
        if (closed) {
            return NONE;
        }
        MemoryRegion region = register(pool, pool.block());
        Entry entry = new Entry(pool, region.address(), region.localKey(), PacketPool.HEADROOM + pool.room());
        entries[pool.number()] = entry;
        return entry;
    }

    private MemoryRegion register(PacketPool pool, MemoryBlock block) {
        close(registered.stream().filter(Registered::isGone).toList());
        MemoryRegion region = domain.register(block, Access.LOCAL_WRITE);
        registered.add(new Registered(pool, block, region));
        return region;
    }

    /** Where the device finds the block of an external buffer; {@code null} if its memory cannot be registered. */
    MemoryRegion of(ExternalBuffer buffer) {
        int number = buffer.number();
        return buffers[number] == buffer ? regions[number] : meet(buffer);
    }

    private synchronized MemoryRegion meet(ExternalBuffer buffer) {
        MemoryRegion region = null;
        for (Registered one : registered) {
            region = one.pool == null && one.block == buffer.block() ? one.region : region;
        }
        try {
            region = region == null && !closed ? register(null, buffer.block()) : region;
        } catch (Refusal refused) {
            return null;
        }
        regions[buffer.number()] = region;
        buffers[buffer.number()] = region == null ? null : buffer;
        return region;
    }

    /** Takes the memory from the device. */
    @Override
    public synchronized void close() {
        closed = true;
        close(List.copyOf(registered));
    }

    private void close(List<Registered> some) {
        registered.removeAll(some);
        Refusal first = null;
        for (Registered one : some) {
            try {
                one.region.close();
            } catch (Refusal refused) {
                first = first == null ? refused : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
