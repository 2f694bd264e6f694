package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.RssHash;
import java.util.Map;
import java.util.TreeMap;

/** How single ports spread packets, where lines have said it for one: ports are configured with it each time. */
final class PortHashes {
    private final Map<String, Long> fields = new TreeMap<>();
    private final Map<String, byte[]> keys = new TreeMap<>();
    /** The queues of those buckets that were named, by their numbers. */
    private final Map<String, Map<Integer, Integer>> buckets = new TreeMap<>();

    void hash(EthDev port, RssHash hash) {
        fields.put(port.name(), hash.fields());
        keys.put(port.name(), hash.key());
    }

    /** What is hashed is said for all ports; each keeps its key. */
    void fieldsOfAll() {
        fields.clear();
    }

    /**
     * What a port is configured with.
     *
     * @param usual fields of ports that have none of their own, −1 for what the device prefers
     * @return {@code null} for no hash
     */
    RssHash of(EthDev port, long usual) {
        long chosen = fields.getOrDefault(port.name(), usual);
        return chosen == 0 ? null : new RssHash(keys.getOrDefault(port.name(), new byte[0]),
                chosen < 0 ? RssHash.DEFAULT.fields() : chosen);
    }

    void redirect(EthDev port, Map<Integer, Integer> queues) {
        buckets.computeIfAbsent(port.name(), _ -> new TreeMap<>()).putAll(queues);
    }

    boolean redirects(EthDev port) {
        return buckets.containsKey(port.name());
    }

    /** Puts the queues of a port's own buckets into its table, as far as it has such queues. */
    int[] redirect(EthDev port, int[] table, int queues) {
        buckets.getOrDefault(port.name(), Map.of()).forEach((bucket, queue) -> {
            if (bucket < table.length && queue < queues) {
                table[bucket] = queue;
            }
        });
        return table;
    }

    /** A port begins anew. */
    void forget(EthDev port) {
        fields.remove(port.name());
        keys.remove(port.name());
        buckets.remove(port.name());
    }
}
