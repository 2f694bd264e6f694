package io.manafold.adapter.internal.rdma;

import io.manafold.roce.Opcode;
import io.manafold.roce.Packet;

/** Packets that tell a sender that its packets come over a congested place. */
final class Notifications {
    private Notifications() {
    }

    /** Makes an addressed packet one of them, in a class of traffic of its own. */
    static void write(Packet packet, int dscp) {
        packet.opcode = Opcode.CNP;
        packet.psn = 0;
        packet.solicited = false;
        packet.acknowledgeRequest = false;
        packet.becn = true;
        packet.trafficClass = dscp << 2;
        packet.payloadBytes = 0;
    }
}
