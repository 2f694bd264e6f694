package io.manafold.api.adapter;

import java.util.Map;

/**
 * What RDMA has counted at a port.
 *
 * @param name {@code one/1}
 * @param counters by the names that {@code rdma statistic} shows in a guest, then what the adapter itself has dropped
 */
public record RdmaPort(String name, Map<String, Long> counters) {
}
