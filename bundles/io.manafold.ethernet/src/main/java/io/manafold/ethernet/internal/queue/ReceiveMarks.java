package io.manafold.ethernet.internal.queue;

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

    /** What the flags of a completion say of its packets, for {@link #describe}. */
    int known(int flags) {
        int known = 0;
        if (checks && (flags & ReceiveCompletion.IP_GOOD) != 0) {
            known = PacketBuffer.IP_CHECKSUM_GOOD;
            if (ReceiveCompletion.isChecked(flags)) {
                known |= PacketBuffer.TRANSPORT_CHECKSUM_GOOD;
            }
        }
        if (hashes && ReceiveCompletion.hashType(flags) != 0) {
            known |= PacketBuffer.HASHED;
        }
        if ((flags & ReceiveCompletion.TAGGED) != 0) {
            known |= PacketBuffer.TAGGED;
        }
        return known;
    }

    /** @param hash stands in the completion for this packet, flags for all of its packets */
    void describe(PacketBuffer packet, int known, int flags, int hash) {
        if ((known & PacketBuffer.HASHED) != 0) {
            packet.hash(hash);
        }
        if ((known & PacketBuffer.TAGGED) != 0) {
            packet.tag(ReceiveCompletion.vlan(flags));
        }
        packet.flags(known);
        packet.queue(queue);
    }
}
