package io.manafold.benchmark;

import io.manafold.api.net.PacketBuffer;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaTable;
import io.manafold.memory.IoPageTable;
import io.manafold.memory.PageMapping;
import io.manafold.memory.PagePool;
import io.manafold.memory.RawMemory;

/**
 * Receives without queues: a function looks an address up and writes a frame there, the driver takes a replacement, reads
 * the headers and lets the packet go; the next round begins with the buffer that was posted longest ago.
 */
final class PoolLoop implements AutoCloseable {
    private static final int HEADER = 14;

    private final PoolCase what;
    private final DmaTable table = new DmaTable();
    private final DmaArena arena;
    private final PagePool pool;
    private final IoPageTable walked;
    private final PacketBuffer[] posted;
    private final long source;
    private final int length;
    private int next;
    long sum;

    PoolLoop(PoolCase what) {
        this.what = what;
        length = what.mtu() + HEADER;
        long need = (long) what.posted() * what.plan().allocation() / what.plan().perPage();
        arena = new DmaArena(table, "receive", 1L << 32, (int) (need + (8L << 20)));
        PageMapping mapping = what.mapping().make(what.plan());
        walked = mapping instanceof IoPageTable entries ? entries : null;
        pool = new PagePool("receive", arena, what.plan(), what.posted(), mapping);
        source = arena.allocate(length).pointer();
        posted = new PacketBuffer[what.posted()];
        for (int i = 0; i < posted.length; i++) {
            posted[i] = pool.take();
        }
    }

    /** Bytes of memory for each posted buffer, as they were really taken. */
    double bytesPerPacket() {
        return (double) pool.pages() * what.plan().allocation() / posted.length;
    }

    /** Pages taken from the arena so far. */
    long pages() {
        return pool.pages();
    }

    void packets(int count) {
        for (int i = 0; i < count; i++) {
            PacketBuffer packet = posted[next];
            long dma = packet.dma();
            long to = table.pointer(dma, length, true);
            if (walked != null && walked.pointer(dma) == 0) {
                throw new IllegalStateException("the function has lost the page");
            }
            RawMemory.copy(source, to, length);
            PacketBuffer fresh = pool.take();
            if (fresh == null) {
                throw new IllegalStateException("no buffer is left");
            }
            posted[next] = fresh;
            next = next + 1 == posted.length ? 0 : next + 1;
            pool.received(packet);
            packet.place(packet.headroom(), length);
            sum += packet.get64(0) + packet.get64(24);
            packet.release();
        }
    }

    @Override
    public void close() {
        pool.close();
        for (PacketBuffer buffer : posted) {
            buffer.release();
        }
        if (!pool.isDrained()) {
            throw new IllegalStateException("a page is not home: " + pool.held());
        }
        arena.close();
        table.close();
    }
}
