package io.manafold.ethernet.internal.port;

import io.manafold.gdma.message.Counter;
import io.manafold.gdma.message.QueryPhyStatistics;
import java.util.ArrayList;
import java.util.List;

/** The names of {@code ethtool -S}, in groups and in its order. */
final class Labels {
    static final List<String> PORT = List.of("stop_queue", "wake_queue", "tx_cq_err", "tx_cqe_unknown_type",
            "tx_linear_pkt_cnt", "rx_cqe_unknown_type");
    static final List<String> HOST = host();
    static final List<String> PHYSICAL = physical();
    static final List<String> RECEIVE = List.of("packets", "bytes", "xdp_drop", "xdp_tx", "xdp_redirect",
            "pkt_len0_err", "coalesced_cqe_2", "coalesced_cqe_3", "coalesced_cqe_4", "coalesced_cqe_5",
            "coalesced_cqe_6", "coalesced_cqe_7", "coalesced_cqe_8");
    static final List<String> SEND = List.of("packets", "bytes", "xdp_xmit", "tso_packets", "tso_bytes",
            "tso_inner_packets", "tso_inner_bytes", "long_pkt_fmt", "short_pkt_fmt", "csum_partial", "mana_map_err");

    private Labels() {
    }

    private static List<String> host() {
        List<String> labels = new ArrayList<>();
        for (Counter counter : Counter.values()) {
            labels.add(counter.label());
        }
        return List.copyOf(labels);
    }

    private static List<String> physical() {
        List<String> labels = new ArrayList<>();
        for (int i = 0; i < QueryPhyStatistics.COUNTERS; i++) {
            labels.add(QueryPhyStatistics.label(i));
        }
        return List.copyOf(labels);
    }
}
