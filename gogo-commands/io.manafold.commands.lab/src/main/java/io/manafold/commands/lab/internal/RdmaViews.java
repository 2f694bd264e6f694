package io.manafold.commands.lab.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.RdmaCompletionQueue;
import io.manafold.api.adapter.RdmaPort;
import io.manafold.api.adapter.RdmaQueuePair;
import io.manafold.api.adapter.RdmaStatus;
import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.Numbers;
import io.manafold.shell.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** RDMA of adapters as tables and objects. */
final class RdmaViews {
    /** Queue pairs that a person is shown; programs get all of them. */
    private static final int SHOWN = 20;
    private static final String PREFIX = "rdma_";

    private RdmaViews() {
    }

    // ---- adapter show

    /** In a few words. */
    static String words(String mode, RdmaStatus status) {
        if (mode.equals("off")) {
            return mode;
        }
        if (!status.driven()) {
            return mode + (mode.equals("all") ? " ports, no driver" : " port, no driver");
        }
        return mode + (mode.equals("all") ? " ports, " : " port, ") + (status.suspended() ? "suspended, " : "")
                + Numbers.counted(status.queuePairs().size(), "queue pair") + ", "
                + Numbers.counted(status.completionQueues().size(), "completion queue")
                + (status.gids().isEmpty() ? ", no address" : ", " + String.join(", ", status.gids()));
    }

    static Fields fields(String mode, RdmaStatus status) {
        return Fields.of("mode", mode).and("driven", status.driven()).and("suspended", status.suspended())
                .and("gids", status.gids())
                .and("ports", status.ports().stream().map(RdmaViews::port).toList())
                .and("completion_queues", status.completionQueues().stream().map(RdmaViews::queue).toList())
                .and("queue_pairs", status.queuePairs().stream().map(RdmaViews::pair).toList());
    }

    private static Fields port(RdmaPort port) {
        return Fields.of("port", port.name()).and("counters", port.counters());
    }

    private static Fields queue(RdmaCompletionQueue queue) {
        return Fields.of("cq", queue.number()).and("entries", queue.entries()).and("eq", queue.events())
                .and("used", queue.used());
    }

    private static Fields pair(RdmaQueuePair pair) {
        return Fields.of("qp", pair.number()).and("type", pair.type()).and("state", pair.state())
                .and("port", pair.port()).and("peer_gid", pair.peerGid()).and("peer_qp", pair.peer())
                .and("mtu", pair.mtu()).and("send_psn", pair.sendPsn()).and("acknowledged_psn", pair.acknowledgedPsn())
                .and("receive_psn", pair.receivePsn()).and("in_flight", pair.inFlight())
                .and("send_cq", pair.sendCompletions()).and("receive_cq", pair.receiveCompletions())
                .and("pd", pair.protectionDomain()).and("rate", pair.congestion().rate());
    }

    /** The queue pairs as a table below the rest, as many as a person reads. */
    static void show(Call call, RdmaStatus status) {
        List<RdmaQueuePair> pairs = status.queuePairs();
        if (pairs.isEmpty()) {
            return;
        }
        Table table = new Table().column("QP", "qp").column("TYPE", "type").column("STATE", "state")
                .column("PORT", "port").column("PEER", "peer").column("PEER QP", "peer_qp").column("MTU", "mtu")
                .column("PSN", "send_psn").column("ACKED", "acknowledged_psn").column("EXPECTED", "receive_psn")
                .column("IN FLIGHT", "in_flight").column("CQS", "cqs").column("PD", "pd");
        for (RdmaQueuePair pair : pairs.subList(0, Math.min(SHOWN, pairs.size()))) {
            table.row(pair.number(), pair.type(), pair.state(), pair.port(), pair.peerGid(), pair.peer(), pair.mtu(),
                    pair.sendPsn(), pair.acknowledgedPsn(), pair.receivePsn(), pair.inFlight(),
                    pair.sendCompletions() + "/" + pair.receiveCompletions(), pair.protectionDomain());
        }
        call.out().println();
        call.print(table.unwrapped());
        if (pairs.size() > SHOWN) {
            call.out().println("and " + (pairs.size() - SHOWN) + " more, see --json");
        }
    }

    // ---- adapter stats

    /** What a port has counted, by name; empty if it does not speak RDMA. */
    static Map<String, Long> counters(Adapter adapter, String port) {
        return adapter.rdma().status().ports().stream().filter(one -> one.name().equals(port)).findFirst()
                .map(RdmaPort::counters).orElse(Map.of());
    }

    /** The same with names that no counter of Ethernet has. */
    static Map<String, Long> prefixed(Adapter adapter, String port) {
        Map<String, Long> prefixed = new LinkedHashMap<>();
        counters(adapter, port)
                .forEach((name, value) -> prefixed.put(name.startsWith(PREFIX) ? name : PREFIX + name, value));
        return prefixed;
    }

    /** The numbers that matter most, of the ports where there are any. */
    static void stats(Call call, List<Adapter> adapters) {
        Table table = new Table().column("RDMA PORT", "port").column("TX PACKETS", "tx_packets")
                .column("TX BYTES", "tx_bytes").column("RX PACKETS", "rx_packets").column("RX BYTES", "rx_bytes")
                .column("TIMEOUTS", "requester_timeout").column("CNPS", "received_cnps");
        for (Adapter adapter : adapters) {
            for (RdmaPort port : adapter.rdma().status().ports()) {
                if (port.counters().values().stream().anyMatch(value -> value != 0)) {
                    table.row(port.name(), value(port, "tx_packets"), value(port, "tx_bytes"),
                            value(port, "rx_packets"), value(port, "rx_bytes"), value(port, "requester_timeout"),
                            value(port, "received_cnps"));
                }
            }
        }
        if (!table.rows().isEmpty()) {
            call.out().println();
            call.print(table);
        }
    }

    private static long value(RdmaPort port, String counter) {
        return port.counters().getOrDefault(counter, 0L);
    }
}
