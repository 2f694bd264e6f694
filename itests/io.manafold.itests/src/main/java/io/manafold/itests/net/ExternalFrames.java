package io.manafold.itests.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.memory.MemorySource;
import io.manafold.memory.ExternalBuffer;
import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Frames in memory of the application: each in buffers of its own, which are told of when their memory is free, and
 * whose memory has another frame then.
 */
public final class ExternalFrames implements AutoCloseable {
    private static final int SLOTS = 512;
    private static final int SLOT = 256;
    private static final int HEADER = 14;
    private static final int MIDDLE = 90;

    private final PacketPool pool;
    private final PollFrames frames;
    private final MemoryBlock first;
    private final MemoryBlock second;
    /** How often each buffer was told of. */
    private final List<AtomicInteger> told = new ArrayList<>();
    /** Buffers of a slot that are not free yet. */
    private final AtomicInteger[] inUse = new AtomicInteger[SLOTS];

    public ExternalFrames(PacketPool pool, MemorySource memory) {
        this.pool = pool;
        frames = new PollFrames(pool);
        first = memory.make("of an application", (long) SLOTS * SLOT);
        second = memory.make("of the same application", (long) SLOTS * SLOT);
        for (int i = 0; i < SLOTS; i++) {
            inUse[i] = new AtomicInteger();
        }
    }

    /**
     * Makes the frame of a number: all of it in one buffer, its header in the packet itself, or besides in two buffers
     * of two blocks.
     *
     * @return -1 while memory or packets of it are on their way
     */
    public int make(long number) {
        int slot = (int) (number % SLOTS);
        if (inUse[slot].get() > 0) {
            return -1;
        }
        int head = pool.allocate();
        if (head < 0) {
            return -1;
        }
        frames.fill(head, number);
        long place = (long) slot * SLOT;
        RawMemory.copy(pool.data(head), first.segment().address() + place, PollFrames.LENGTH);
        RawMemory.copy(pool.data(head), second.segment().address() + place, PollFrames.LENGTH);
        RawMemory.clear(pool.data(head) + HEADER, PollFrames.LENGTH - HEADER);
        switch ((int) (number % 3)) {
            case 0 -> attach(head, first, slot, 0, PollFrames.LENGTH);
            case 1 -> chain(head, part(first, slot, HEADER, PollFrames.LENGTH - HEADER));
            default -> chain(head, part(first, slot, HEADER, MIDDLE), part(second, slot, HEADER + MIDDLE,
                    PollFrames.LENGTH - HEADER - MIDDLE));
        }
        return head;
    }

    private int part(MemoryBlock block, int slot, int from, int length) {
        int packet = pool.allocate();
        assertThat(packet).isNotEqualTo(-1);
        attach(packet, block, slot, from, length);
        return packet;
    }

    /** The packet is the only user of its buffer, which is told of when that lets go. */
    private void attach(int packet, MemoryBlock block, int slot, int from, int length) {
        AtomicInteger times = new AtomicInteger();
        told.add(times);
        inUse[slot].incrementAndGet();
        try (ExternalBuffer buffer = new ExternalBuffer(block, (long) slot * SLOT, PollFrames.LENGTH, () -> {
            times.incrementAndGet();
            inUse[slot].decrementAndGet();
        })) {
            pool.attach(packet, buffer, from, length);
        }
    }

    private void chain(int head, int... parts) {
        pool.first(head, PacketPool.first(PacketPool.HEADROOM, HEADER, 0));
        pool.second(head, (long) (parts.length + 1) << 48 | 1L << 56);
        int before = head;
        for (int part : parts) {
            pool.next(before, part);
            before = part;
        }
    }

    /** How many buffers have not been told of. */
    public long left() {
        return told.stream().filter(times -> times.get() == 0).count();
    }

    /** Each buffer that there was has been told of, once. */
    public void assertAllToldOnce() {
        assertThat(told).as("buffers").isNotEmpty().allMatch(times -> times.get() == 1);
    }

    @Override
    public void close() {
        first.close();
        second.close();
    }
}
