package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.RssHash;
import java.util.Map;
import java.util.TreeMap;

/** How single ports spread packets, where lines have said it for one: ports are configured with it each time. */
final class PortHashes {
    private final Map<Integer, Long> fields = new TreeMap<>();
    private final Map<Integer, byte[]> keys = new TreeMap<>();
    /** The queues of those buckets that were named, by their numbers. */
    private final Map<Integer, Map<Integer, Integer>> buckets = new TreeMap<>();

    void hash(int port, RssHash hash) {
        fields.put(port, hash.fields());
        keys.put(port, hash.key());
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
    RssHash of(int port, long usual) {
        long chosen = fields.getOrDefault(port, usual);
        return chosen == 0 ? null : new RssHash(keys.getOrDefault(port, new byte[0]),
                chosen < 0 ? RssHash.DEFAULT.fields() : chosen);
    }

    void redirect(int port, Map<Integer, Integer> queues) {
        buckets.computeIfAbsent(port, _ -> new TreeMap<>()).putAll(queues);
    }

    boolean redirects(int port) {
        return buckets.containsKey(port);
    }

    /** Puts the queues of a port's own buckets into its table, as far as it has such queues. */
    int[] redirect(int port, int[] table, int queues) {
        buckets.getOrDefault(port, Map.of()).forEach((bucket, queue) -> {
            if (bucket < table.length && queue < queues) {
                table[bucket] = queue;
            }
        });
        return table;
    }

    /** A port begins anew. */
    void forget(int port) {
        fields.remove(port);
        keys.remove(port);
        buckets.remove(port);
    }

    void renumber(int before, int now) {
        renumber(fields, before, now);
        renumber(keys, before, now);
        renumber(buckets, before, now);
    }

    private static <V> void renumber(Map<Integer, V> map, int before, int now) {
        V own = map.remove(before);
        if (own != null) {
            map.put(now, own);
        }
    }
}
