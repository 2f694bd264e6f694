package io.manafold.adapter.internal;

import io.manafold.memory.DmaArena;
import java.util.List;

/** An adapter as the framework would make it, without the framework, and memory of its driver. */
public final class LoopAdapter extends TestAdapter {
    private static final long BASE = 0x1_0000_0000L;

    public LoopAdapter(String name, int ports, int queues) {
        super(name, "ports", ports, "queues", queues);
    }

    /** The same, with RDMA on its first port. */
    public LoopAdapter(String name, int ports, int queues, String rdma) {
        super(name, "ports", ports, "queues", queues, "rdma", rdma);
    }

    private LoopAdapter(String name) {
        super(name, "rdma", "first");
    }

    /** One whose first port has RDMA. */
    public static LoopAdapter withRdma(String name) {
        return new LoopAdapter(name);
    }

    public DmaArena memory(int megabytes) {
        return new DmaArena(function().dma(), "loop", BASE, (long) megabytes << 20);
    }

    /** What it refused, for people; empty after a good run. */
    public List<?> refused() {
        return adapter().rejections();
    }
}
