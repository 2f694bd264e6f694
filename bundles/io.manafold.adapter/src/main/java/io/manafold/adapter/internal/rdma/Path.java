package io.manafold.adapter.internal.rdma;

import io.manafold.gdma.message.SetQpState;
import io.manafold.roce.Packet;

/** The way from a queue pair to its peer: what is the same in all of its packets. */
final class Path {
    /** Congestion is marked instead of dropped for what carries this in its traffic class. */
    private static final int ECN_CAPABLE = 2;

    private final SetQpState.Path path;
    private final int peer;

    Path(SetQpState.Path path, int peer) {
        this.path = path;
        this.peer = peer;
    }

    String destination() {
        return path.destination().toString();
    }

    int peer() {
        return peer;
    }

    /** Three bits of the traffic class, by which links pause. */
    int priority() {
        return path.dscp() >>> 3 & 7;
    }

    /** Whether a packet comes from the peer's address. */
    boolean isFrom(Packet packet) {
        return packet.sourceHigh == path.destination().high() && packet.sourceLow == path.destination().low();
    }

    /** Writes into a packet all that is the same in each. */
    void address(Packet packet, long sourceMac) {
        packet.sourceMac = sourceMac;
        packet.destinationMac = path.destinationMac().value();
        packet.ipv6 = !path.destination().isIpv4();
        packet.sourceHigh = path.source().high();
        packet.sourceLow = path.source().low();
        packet.destinationHigh = path.destination().high();
        packet.destinationLow = path.destination().low();
        packet.trafficClass = path.dscp() << 2 | ECN_CAPABLE;
        packet.hopLimit = path.hopLimit();
        packet.flowLabel = path.flowLabel();
        packet.sourcePort = path.sourcePort();
        packet.partitionKey = 0xffff;
        packet.becn = false;
        packet.queuePair = peer;
    }
}
