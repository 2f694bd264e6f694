package io.manafold.ethernet.internal.queue;

import io.manafold.api.net.PoolStatus;
import io.manafold.memory.PagePool;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * All pools that a port has had and that are not drained: in use, or waiting for buffers that users still hold. Any
 * thread may call.
 */
public final class PoolCensus {
    private static final int TRANSMIT = -1;

    private final String device;
    private final List<Entry> entries = new ArrayList<>();

    private record Entry(QueueSet set, int queue, PagePool pool) {
    }

    public PoolCensus(String device) {
        this.device = device;
    }

    public synchronized void add(QueueSet set) {
        for (int i = 0; i < set.channels(); i++) {
            entries.add(new Entry(set, i, set.receive(i).pool()));
        }
        entries.add(new Entry(set, TRANSMIT, set.transmit()));
    }

    /** The pools of receive queues. */
    public synchronized List<PoolStatus> receivePools(QueueSet inUse) {
        forgetDrained();
        return entries.stream().filter(one -> one.queue != TRANSMIT)
                .<PoolStatus>map(one -> PoolSnapshot.of(device, one.queue, one.pool, one.set == inUse)).toList();
    }

    /** Buffers that are not home, by holder. */
    public synchronized Map<String, Long> missing() {
        forgetDrained();
        Map<String, Long> missing = new TreeMap<>();
        for (Entry one : entries) {
            for (Map.Entry<String, Long> held : one.pool.held().entrySet()) {
                missing.merge(held.getKey(), held.getValue(), Long::sum);
            }
        }
        return missing;
    }

    private void forgetDrained() {
        for (Iterator<Entry> all = entries.iterator(); all.hasNext();) {
            if (all.next().pool.isDrained()) {
                all.remove();
            }
        }
    }
}
