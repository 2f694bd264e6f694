package io.manafold.adapter.internal.ethernet;

import io.manafold.adapter.internal.queue.CompletionQueue;
import io.manafold.api.adapter.PortStatus;
import io.manafold.api.net.MacAddress;
import io.manafold.gdma.message.Counter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A port at a moment, as commands show it. */
record PortSnapshot(String name, MacAddress mac, String link, boolean open, long speedBits, long clampBits,
        Map<String, Long> counters, List<Map<String, Long>> queues) implements PortStatus {
    static Map<String, Long> counters(PortCounters port) {
        long[] values = port.device;
        Map<String, Long> named = new LinkedHashMap<>();
        named.put("tx_packets", values[Counter.TX_UCAST_PKTS.ordinal()] + values[Counter.TX_MCAST_PKTS.ordinal()]
                + values[Counter.TX_BCAST_PKTS.ordinal()]);
        named.put("rx_packets", values[Counter.RX_UCAST_PKTS.ordinal()] + values[Counter.RX_MCAST_PKTS.ordinal()]
                + values[Counter.RX_BCAST_PKTS.ordinal()]);
        named.put("tx_bytes", values[Counter.TX_BYTES.ordinal()]);
        named.put("rx_bytes", values[Counter.RX_BYTES.ordinal()]);
        for (Counter counter : Counter.values()) {
            named.put(counter.label(), values[counter.ordinal()]);
        }
        named.put("rx_other_station", port.foreign);
        named.put("frames_vanished", port.vanished);
        return named;
    }

    static List<Map<String, Long>> queues(SendQueue[] senders, ReceiveQueue[] receivers) {
        List<Map<String, Long>> pairs = new ArrayList<>();
        for (int slot = 0; slot < senders.length; slot++) {
            SendQueue send = senders[slot];
            ReceiveQueue receive = receivers[slot];
            if (send == null && receive == null) {
                continue;
            }
            Map<String, Long> named = new LinkedHashMap<>();
            named.put("queue", (long) slot);
            if (send != null) {
                put(send, named);
            }
            if (receive != null) {
                put(receive, named);
            }
            pairs.add(named);
        }
        return pairs;
    }

    private static void put(SendQueue queue, Map<String, Long> named) {
        named.put("tx_id", (long) queue.id());
        named.put("tx_packets", queue.packets);
        named.put("tx_bytes", queue.bytes);
        named.put("tx_requests", queue.requests);
        named.put("tx_errors", queue.errors);
        named.put("tx_tso_packets", queue.segmentedRequests);
        named.put("tx_tso_bytes", queue.segmentedBytes);
        named.put("tx_csum_partial", queue.checksums);
        named.put("tx_long_pkt_fmt", queue.longForms);
        named.put("tx_short_pkt_fmt", queue.shortForms);
        named.put("tx_produced", Integer.toUnsignedLong(queue.produced()));
        named.put("tx_consumed", Integer.toUnsignedLong(queue.consumed()));
        named.put("tx_ended", queue.ended ? 1L : 0L);
        put("tx", queue.completions, named);
    }

    private static void put(String direction, CompletionQueue queue, Map<String, Long> named) {
        named.put(direction + "_usecs", (long) queue.moderationMicros());
        named.put(direction + "_frames", (long) queue.moderationFrames());
        named.put(direction + "_events_held", queue.heldEvents());
    }

    private static void put(ReceiveQueue queue, Map<String, Long> named) {
        named.put("rx_id", (long) queue.id());
        named.put("rx_packets", queue.packets);
        named.put("rx_bytes", queue.bytes);
        named.put("rx_no_wqe", queue.noRequest);
        named.put("rx_truncated", queue.truncated);
        named.put("rx_errors", queue.errors);
        long[] coalesced = queue.completions.coalesced;
        for (int packets = 2; packets < coalesced.length; packets++) {
            named.put("rx_coalesced_cqe_" + packets, coalesced[packets]);
        }
        named.put("rx_produced", Integer.toUnsignedLong(queue.produced()));
        named.put("rx_consumed", Integer.toUnsignedLong(queue.consumed()));
        named.put("rx_ended", queue.ended ? 1L : 0L);
        put("rx", queue.completions.queue(), named);
    }
}
