package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.DeviceObjects;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairAttributes;
import io.manafold.api.rdma.QueuePairType;
import io.manafold.rdma.internal.queue.RcQueuePair;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Gathers what has been made of a device. Contexts add to it under their locks; queue pairs are asked later, without
 * any.
 */
final class Listing {
    private final List<DeviceObjects.Domain> domains = new ArrayList<>();
    private final List<DeviceObjects.Queue> queues = new ArrayList<>();
    private final List<DeviceObjects.Region> regions = new ArrayList<>();
    private final List<PairEntry> pairs = new ArrayList<>();

    private record PairEntry(QueuePair pair, QueuePairType type, int port, int domain, String owner) {
        DeviceObjects.Pair answer() {
            QueuePairAttributes now = pair.attributes();
            return new DeviceObjects.Pair(pair.number(), port != 0 ? port : now.port(), now.peer(), type, pair.state(),
                    now.receivePsn(), now.sendPsn(), domain, owner, pair instanceof RcQueuePair connected
                    ? connected.counters() : Map.of());
        }
    }

    void domain(int number, int users, String owner) {
        domains.add(new DeviceObjects.Domain(number, users, owner));
    }

    void queue(int number, int entries, int users, String owner) {
        queues.add(new DeviceObjects.Queue(number, entries, users, owner));
    }

    void region(Region region, int domain, String owner) {
        regions.add(new DeviceObjects.Region(region.number(), region.length(), domain, owner));
    }

    /** @param port 0 if its attributes say it */
    void pair(QueuePair pair, QueuePairType type, int port, int domain, String owner) {
        pairs.add(new PairEntry(pair, type, port, domain, owner));
    }

    /** No lock is held any more. */
    DeviceObjects objects() {
        return new DeviceObjects(domains, queues, pairs.stream().map(PairEntry::answer).toList(), regions);
    }
}
