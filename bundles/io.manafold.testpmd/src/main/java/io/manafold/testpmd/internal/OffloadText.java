package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.Offload;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Offloads by the names that poll-mode users know. */
final class OffloadText {
    private static final Map<Long, String> RECEIVE = new LinkedHashMap<>();
    private static final Map<Long, String> SEND = new LinkedHashMap<>();

    static {
        RECEIVE.put(Offload.RECEIVE_VLAN_STRIP, "VLAN_STRIP");
        RECEIVE.put(Offload.RECEIVE_IPV4_CHECKSUM, "IPV4_CKSUM");
        RECEIVE.put(Offload.RECEIVE_UDP_CHECKSUM, "UDP_CKSUM");
        RECEIVE.put(Offload.RECEIVE_TCP_CHECKSUM, "TCP_CKSUM");
        RECEIVE.put(Offload.RECEIVE_RSS_HASH, "RSS_HASH");
        SEND.put(Offload.SEND_VLAN_INSERT, "VLAN_INSERT");
        SEND.put(Offload.SEND_IPV4_CHECKSUM, "IPV4_CKSUM");
        SEND.put(Offload.SEND_UDP_CHECKSUM, "UDP_CKSUM");
        SEND.put(Offload.SEND_TCP_CHECKSUM, "TCP_CKSUM");
        SEND.put(Offload.SEND_SEGMENTS, "MULTI_SEGS");
    }

    private OffloadText() {
    }

    /** What a port can do. */
    static String capabilities(EthDev port, boolean receive) {
        long there = receive ? port.info().receiveOffloads() : port.info().sendOffloads();
        return "%s Offloading Capabilities of port %d :\n  Per Queue :\n  Per Port  :%s\n\n".formatted(receive ? "Rx"
                : "Tx", port.number(), names(there, receive));
    }

    /** What it has been configured to do. Offloads are of a port here, and no queue has others. */
    static String configuration(EthDev port, boolean receive) {
        EthDevPlan plan = port.plan();
        long set = plan == null ? 0 : receive ? plan.receiveOffloads() : plan.sendOffloads();
        int queues = plan == null ? 0 : receive ? plan.receiveQueues() : plan.sendQueues();
        String names = names(set, receive);
        StringBuilder text = new StringBuilder("%s Offloading Configuration of port %d :\n  Port :%s\n".formatted(
                receive ? "Rx" : "Tx", port.number(), names));
        for (int queue = 0; queue < queues; queue++) {
            text.append("  Queue[%2d] :%s\n".formatted(queue, names));
        }
        return text.append('\n').toString();
    }

    /** The bit of a name; 0 if there is none of it. */
    static long bit(String name, boolean receive) {
        return (receive ? RECEIVE : SEND).entrySet().stream().filter(entry -> entry.getValue().equalsIgnoreCase(name))
                .findFirst()
                .map(Map.Entry::getKey).orElse(0L);
    }

    /** All names of a direction. */
    static String known(boolean receive) {
        return String.join(", ", (receive ? RECEIVE : SEND).values()).toLowerCase(Locale.ROOT);
    }

    private static String names(long bits, boolean receive) {
        StringBuilder text = new StringBuilder();
        (receive ? RECEIVE : SEND).forEach((bit, name) -> text.append((bits & bit) != 0 ? " " + name : ""));
        return text.toString();
    }
}
