package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDevStatistics;
import java.util.Map;

/**
 * Names of counters, as applications that poll know them. The real net_mana has no extended statistics of its own:
 * what is shown of its ports are the eight that DPDK gives every port. Those of queues have the names that DPDK gives
 * them for drivers that ask for it, which the real one does not.
 */
final class CounterNames {
    /** Queues that are told of one by one. */
    static final int MOST_QUEUES = 16;

    private CounterNames() {
    }

    /** Of a port, in the order that DPDK has. */
    static void common(EthDevStatistics all, Map<String, Long> names) {
        names.put("rx_good_packets", all.received());
        names.put("tx_good_packets", all.sent());
        names.put("rx_good_bytes", all.receivedBytes());
        names.put("tx_good_bytes", all.sentBytes());
        names.put("rx_missed_errors", all.missed());
        names.put("rx_errors", all.receiveErrors());
        names.put("tx_errors", all.sendErrors());
        names.put("rx_mbuf_allocation_errors", all.noBuffers());
    }
}
