package io.manafold.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a pool counts; plain fields are the allocating thread's, the others any thread's. */
final class PoolStatistics {
    private static final VarHandle RING;
    private static final VarHandle RING_FULL;
    private static final VarHandle UNMAPPED;

    static {
        try {
            RING = MethodHandles.lookup().findVarHandle(PoolStatistics.class, "recycleRing", long.class);
            RING_FULL = MethodHandles.lookup().findVarHandle(PoolStatistics.class, "recycleRingFull", long.class);
            UNMAPPED = MethodHandles.lookup().findVarHandle(PoolStatistics.class, "unmapped", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    long allocFast;
    long allocSlow;
    long allocSlowHighOrder;
    long allocEmpty;
    long allocRefill;
    long recycleCached;
    long recycleCacheFull;
    long mapped;
    private long recycleRing;
    private long recycleRingFull;
    private long unmapped;

    void ring() {
        RING.getAndAdd(this, 1L);
    }

    void ringFull() {
        RING_FULL.getAndAdd(this, 1L);
    }

    void unmapped() {
        UNMAPPED.getAndAdd(this, 1L);
    }

    Map<String, Long> byName() {
        Map<String, Long> all = new LinkedHashMap<>();
        all.put("alloc-fast", allocFast);
        all.put("alloc-slow", allocSlow);
        all.put("alloc-slow-high-order", allocSlowHighOrder);
        all.put("alloc-empty", allocEmpty);
        all.put("alloc-refill", allocRefill);
        // memory of ours has no wrong side of the machine, and only the pool's users refer to it
        all.put("alloc-waive", 0L);
        all.put("recycle-cached", recycleCached);
        all.put("recycle-cache-full", recycleCacheFull);
        all.put("recycle-ring", (long) RING.getVolatile(this));
        all.put("recycle-ring-full", (long) RING_FULL.getVolatile(this));
        all.put("recycle-released-refcnt", 0L);
        all.put("dma-map", mapped);
        all.put("dma-unmap", (long) UNMAPPED.getVolatile(this));
        return all;
    }
}
