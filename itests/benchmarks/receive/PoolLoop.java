package io.manafold.benchmark;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.memory.DmaArena;
import io.manafold.memory.DmaCursor;
import io.manafold.memory.DmaTable;
import io.manafold.memory.PagePool;
import io.manafold.memory.RawMemory;

/**
 * Receives without queues: a function looks an address up and writes a frame there, the driver takes a replacement,
 * reads the headers and lets the packet go; the next round begins with the buffer that was posted longest ago.
 */
final class PoolLoop implements Receiving {
    private static final int STEP = 512;

    private final DmaTable table = new DmaTable();
    private final DmaArena arena = new DmaArena(table, "source", 1L << 32, 1 << 20);
    private final DmaArena pages;
    private final DmaCursor cursor = new DmaCursor(table);
    private final PagePool pool;
    private final PacketBuffer[] posted;
    private final long source;
    private final int length;
    private final double bytes;
    private int next;
    private long sum;
    private double allocated;

    PoolLoop(ReceiveCase what) {
        length = what.frame();
        int need = (int) ((long) what.posted() * what.plan().allocation() / what.plan().perPage() + (8L << 20));
        pages = what.mapping() == ReceiveMapping.ARENA ? new DmaArena(table, "receive", 2L << 32, need)
                : DmaArena.paged(table, "receive", 2L << 32, need);
        pool = new PagePool("receive", pages, what.plan(), what.posted(), what.mapping());
        source = arena.allocate(length).pointer();
        posted = new PacketBuffer[what.posted()];
        for (int i = 0; i < posted.length; i++) {
            posted[i] = pool.take();
        }
        KnownLayouts.check(what.plan(), 1, what.posted(), pool.pages());
        bytes = (double) pool.pages() * what.plan().allocation() / posted.length;
    }

    @Override
    public double bytesPerPacket() {
        return bytes;
    }

    @Override
    public double allocated() {
        return allocated;
    }

    @Override
    public double run(long nanos) {
        long before = Clock.allocatedHere();
        long begin = Clock.threadNanos();
        long count = 0;
        long now;
        do {
            packets(STEP);
            count += STEP;
            now = Clock.threadNanos();
        } while (now - begin < nanos);
        // what asking costs is not the packets'
        allocated = Math.max(0, Clock.allocatedHere() - before - 512) / (double) count;
        return (now - begin) / (double) count;
    }

    private void packets(int count) {
        cursor.renew();
        for (int i = 0; i < count; i++) {
            PacketBuffer packet = posted[next];
            long to = cursor.known(packet.dma(), length, true);
            if (to == 0) {
                to = cursor.pointer(packet.dma(), length, true);
            }
            if (to == 0) {
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
        if (sum != 0) {
            throw new IllegalStateException("what arrived is not the zeroes of the source");
        }
        pages.close();
        arena.close();
        table.close();
    }
}
