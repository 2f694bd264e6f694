package io.manafold.benchmark;

import io.manafold.adapter.internal.LoopAdapter;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.fabric.internal.LoopLink;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPool;
import io.manafold.memory.PacketPools;
import io.manafold.memory.RawMemory;
import io.manafold.memory.SharedBlocks;
import io.manafold.pmd.internal.device.LoopPort;
import io.manafold.pmd.internal.queue.WarmUp;
import io.manafold.rdma.internal.device.LoopRaw;
import java.lang.annotation.Annotation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** A switch, an adapter with both ports on it, the poll-mode driver on both ports, and traffic between them. */
final class PmdLab implements AutoCloseable {
    /** As many as the peers have. */
    private static final int DESCRIPTORS = 1024;
    /** As many as the Ethernet driver of DPDK's test program has: both rings of both ports, and what threads keep. */
    private static final int PACKETS = 8192;
    private static final int CACHE = 512;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final LoopAdapter adapter;
    private final PacketPool pool;
    private final PmdTraffic traffic;

    PmdLab(PmdCase what) {
        this(what, false);
    }

    /** @param warm whether bursts are made on a dry ring first, as a port does before it goes up */
    PmdLab(PmdCase what, boolean warm) {
        LoopLink link = keep(new LoopLink("loop", List.of("one/1", "one/2", PmdTraffic.PORT)));
        adapter = keep(new LoopAdapter("one", 2, what.queues()));
        adapter.plug(link.link(), "one/1", "one/2");
        SharedBlocks memory = new SharedBlocks(warm ? Usual.MORE : Usual.BLOCKS);
        pool = keep(new PacketPools(memory).make(
                new PacketPlan("loop", PACKETS * what.queues(), CACHE,
                        Math.max(PacketPlan.DEFAULT_ROOM, what.frame()))));
        if (warm && new WarmUp(memory).run(pool, true, 0) == 0) {
            throw new IllegalStateException("there is no memory to warm up with");
        }
        LoopRaw raw = keep(new LoopRaw("one", adapter.function()));
        RdmaDevice device = raw.open();
        LoopPort left = keep(new LoopPort(device, 1, what.queues(), DESCRIPTORS, pool));
        LoopPort right = keep(new LoopPort(device, 2, what.queues(), DESCRIPTORS, pool));
        traffic = new PmdTraffic(what, pool, left, raw.mac(1).value(), right, raw.mac(2).value());
        traffic.plugged(link.link().plug(traffic));
        meet(right, raw.mac(2).value(), left, raw.mac(1).value());
    }

    /** Lets the switch know where packets for a port go. */
    private void meet(LoopPort from, long own, LoopPort to, long target) {
        int[] one = {pool.allocate()};
        pool.first(one[0], PacketPool.first(PacketPool.HEADROOM, 60, 0));
        long at = pool.data(one[0]);
        RawMemory.clear(at, 60);
        RawMemory.put64(at, Long.reverseBytes(target << 16 | own >>> 32));
        RawMemory.put32(at + 8, Integer.reverseBytes((int) own));
        from.send(0).burst(one, 0, 1);
        long until = System.nanoTime() + 20_000_000_000L;
        while (to.receive(0).burst(one, 0, 1) == 0) {
            Memif.pause(1);
            if (System.nanoTime() - until > 0) {
                throw new IllegalStateException("the switch does not learn the ports' addresses");
            }
        }
        PacketPool.release(one, 0, 1);
    }

    private <T extends AutoCloseable> T keep(T one) {
        open.push(one);
        return one;
    }

    PmdTraffic traffic() {
        return traffic;
    }

    List<?> refused() {
        return adapter.refused();
    }

    /** Packets that are neither free nor in a ring. */
    int lost() {
        return pool.packets() - pool.available();
    }

    @Override
    public void close() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        }
    }

    /** As many blocks as are needed: a pool has two. */
    private enum Usual implements SharedBlocks.Config {
        BLOCKS(2),
        /** With those of a dry ring. */
        MORE(16);

        private final int blocks;

        Usual(int blocks) {
            this.blocks = blocks;
        }

        @Override
        public int blocks() {
            return blocks;
        }

        @Override
        public long bytes() {
            return 1L << 30;
        }

        @Override
        public Class<? extends Annotation> annotationType() {
            return SharedBlocks.Config.class;
        }
    }
}
