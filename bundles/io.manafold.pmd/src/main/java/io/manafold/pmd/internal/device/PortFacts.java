package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.Offload;
import io.manafold.api.ethdev.RssHash;
import io.manafold.api.net.MacAddress;
import io.manafold.api.rdma.DeviceAttributes;
import io.manafold.pmd.internal.words.DeviceArgument;

/** What does not change of a port. */
record PortFacts(String address, int port, MacAddress mac, EthDevInfo info) {
    static final int DEFAULT_MTU = 1500;
    static final long RECEIVE_OFFLOADS = Offload.RECEIVE_VLAN_STRIP | Offload.RECEIVE_IPV4_CHECKSUM
            | Offload.RECEIVE_UDP_CHECKSUM | Offload.RECEIVE_TCP_CHECKSUM | Offload.RECEIVE_RSS_HASH;
    static final long SEND_OFFLOADS = Offload.SEND_VLAN_INSERT | Offload.SEND_IPV4_CHECKSUM | Offload.SEND_UDP_CHECKSUM
            | Offload.SEND_TCP_CHECKSUM | Offload.SEND_SEGMENTS;
    private static final int LEAST_MTU = 68;
    private static final int MOST_MTU = 9000;

    static PortFacts of(String address, int port, MacAddress mac, String device, DeviceArgument argument,
            DeviceAttributes limits) {
        int queues = Integer.highestOneBit(Math.max(1, limits.maxQueuePairs()));
        int descriptors = Math.min(limits.maxRequests(), limits.maxCompletions()) / PortPlan.ALIGNMENT
                * PortPlan.ALIGNMENT;
        return new PortFacts(address, port, mac, new EthDevInfo("net_mana", address, port, argument.arguments(), "",
                mac, device, queues, PortPlan.LEAST_DESCRIPTORS, descriptors, PortPlan.ALIGNMENT, PortPlan.LEAST_ROOM,
                LEAST_MTU, MOST_MTU, limits.maxSendPieces(), PortPlan.KEY_BYTES, PortPlan.TABLE, RECEIVE_OFFLOADS,
                SEND_OFFLOADS, RssHash.ALL));
    }

    String name() {
        return name(address, port);
    }

    static String name(String address, int port) {
        return address + "_port" + port;
    }
}
