package io.manafold.ethernet.internal.queue;

import io.manafold.api.net.PagePlan;
import io.manafold.api.net.PoolStatus;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.memory.PagePool;
import java.util.Map;
import java.util.TreeMap;

/** How things stood with a pool. */
record PoolSnapshot(String device, int queue, PagePlan plan, ReceiveMapping mapping, long pages, long free,
        long posted, Map<String, Long> held, Map<String, Long> statistics, boolean closing) implements PoolStatus {
    static PoolSnapshot of(String device, int queue, PagePool pool, boolean inUse) {
        Map<String, Long> held = new TreeMap<>(pool.held());
        Long posted = held.remove(ReceiveRing.POSTED);
        return new PoolSnapshot(device, queue, pool.plan(), pool.mapping(), pool.pages(), pool.free(),
                posted == null ? 0 : posted, held, pool.statistics(), !inUse);
    }
}
