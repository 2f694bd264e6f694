package io.manafold.ethernet.internal;

import io.manafold.api.net.PacketBuffer;
import io.manafold.gdma.ReceiveCompletion;

/** What a receive queue tells of its packets besides their bytes, as far as it is wanted. */
final class ReceiveMarks {
    private final int queue;
    private boolean checks;
    private boolean hashes;

    ReceiveMarks(int queue, PortConfig config) {
        this.queue = queue;
        want(config);
    }

    /** What is told of packets from now on. */
    void want(PortConfig config) {
        checks = config.has(PortConfig.RECEIVE_CHECKSUM);
        hashes = config.has(PortConfig.RECEIVE_HASH);
    }

    /** @param flags and the hash stand in the packet's completion */
    void describe(PacketBuffer packet, int flags, int hash) {
        int known = 0;
        if (checks && (flags & ReceiveCompletion.IP_GOOD) != 0) {
            known = PacketBuffer.IP_CHECKSUM_GOOD;
            if (ReceiveCompletion.isChecked(flags)) {
                known |= PacketBuffer.TRANSPORT_CHECKSUM_GOOD;
            }
        }
        if (hashes && ReceiveCompletion.hashType(flags) != 0) {
            known |= PacketBuffer.HASHED;
            packet.hash(hash);
        }
        if ((flags & ReceiveCompletion.TAGGED) != 0) {
            known |= PacketBuffer.TAGGED;
            packet.tag(ReceiveCompletion.vlan(flags));
        }
        packet.flags(known);
        packet.queue(queue);
        packet.next(null);
    }
}
