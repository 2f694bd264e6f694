package io.manafold.api.rdma;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What all bundles have made of a device, for administrators. Keys are not told: they are what protects the memory.
 *
 * @param domains protection domains
 * @param queues completion queues
 */
public record DeviceObjects(List<Domain> domains, List<Queue> queues, List<Pair> pairs, List<Region> regions) {
    public DeviceObjects {
        domains = List.copyOf(domains);
        queues = List.copyOf(queues);
        pairs = List.copyOf(pairs);
        regions = List.copyOf(regions);
    }

    /**
     * A protection domain.
     *
     * @param users how many regions and queue pairs are in it
     * @param owner the symbolic name of the bundle that it belongs to; the same with all of them
     */
    public record Domain(int number, int users, String owner) {
    }

    /**
     * A completion queue.
     *
     * @param entries that it holds
     * @param users how many directions of queue pairs use it
     */
    public record Queue(int number, int entries, int users, String owner) {
    }

    /**
     * A queue pair.
     *
     * @param port 0 while it has none
     * @param peer the number of the peer's queue pair, 0 while it has none
     * @param receivePsn number of the first packet of the peer, as it was set
     * @param sendPsn number of the first packet, as it was set
     * @param domain the number of its protection domain
     * @param counters by name, in their order: what the driver has counted of its requests and receives; empty if it
     *     counts none
     */
    public record Pair(int number, int port, int peer, QueuePairType type, QueuePairState state, int receivePsn,
            int sendPsn, int domain, String owner, Map<String, Long> counters) {
        public Pair {
            counters = Collections.unmodifiableMap(new LinkedHashMap<>(counters));
        }
    }

    /**
     * A memory region.
     *
     * @param number that says nothing of its keys
     * @param domain the number of its protection domain
     */
    public record Region(int number, long length, int domain, String owner) {
    }
}
