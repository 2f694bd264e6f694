package io.manafold.adapter.internal.rdma;

import io.manafold.memory.RawMemory;
import io.manafold.roce.Opcode;
import io.manafold.roce.Packet;

/** Packets that tell a sender that its packets come over a congested place. */
final class Notifications {
    /** A class of traffic of its own. */
    private static final int DSCP = 48;
    private static final int RESERVED = 16;

    private Notifications() {
    }

    /** Makes an addressed packet one of them. */
    static void write(Packet packet, long payload) {
        packet.opcode = Opcode.CNP;
        packet.psn = 0;
        packet.solicited = false;
        packet.acknowledgeRequest = false;
        packet.becn = true;
        packet.trafficClass = DSCP << 2;
        packet.payloadBytes = RESERVED;
        RawMemory.put64(payload, 0);
        RawMemory.put64(payload + 8, 0);
    }
}
