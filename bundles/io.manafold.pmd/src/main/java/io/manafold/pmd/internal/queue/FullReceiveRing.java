package io.manafold.pmd.internal.queue;

import io.manafold.api.ethdev.Offload;
import io.manafold.gdma.ReceiveCompletion;
import io.manafold.gdma.driver.DirectQueue;
import io.manafold.memory.PacketFlags;
import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;

/** Receives packets of which checksums, hash and tag are told as far as that is wanted. */
final class FullReceiveRing extends ReceiveRing {
    private static final int TRANSPORT_GOOD = ReceiveCompletion.TCP_GOOD | ReceiveCompletion.UDP_GOOD;
    private static final int TRANSPORT_BAD = ReceiveCompletion.TCP_BAD | ReceiveCompletion.UDP_BAD;

    private final boolean addresses;
    private final boolean transports;
    private final boolean hashes;
    private final boolean tags;
    private int flags;
    private int tag;
    private boolean tagged;

    FullReceiveRing(DirectQueue direct, Keys.Entry known, int descriptors, ReceiveCount count, long offloads) {
        super(direct, known, descriptors, count);
        addresses = (offloads & Offload.RECEIVE_IPV4_CHECKSUM) != 0;
        transports = (offloads & (Offload.RECEIVE_TCP_CHECKSUM | Offload.RECEIVE_UDP_CHECKSUM)) != 0;
        hashes = (offloads & Offload.RECEIVE_RSS_HASH) != 0;
        tags = (offloads & Offload.RECEIVE_VLAN_STRIP) != 0;
    }

    @Override
    void begin(long entry) {
        int said = RawMemory.get32(entry + ReceiveCompletion.FLAGS);
        int known = 0;
        if (addresses) {
            known |= bit(said, ReceiveCompletion.IP_GOOD, PacketFlags.IP_GOOD) | bit(said, ReceiveCompletion.IP_BAD,
                    PacketFlags.IP_BAD) | bit(said, ReceiveCompletion.OUTER_IP_BAD, PacketFlags.OUTER_IP_BAD);
        }
        if (transports) {
            known |= bit(said, TRANSPORT_GOOD, PacketFlags.TRANSPORT_GOOD) | bit(said, TRANSPORT_BAD,
                    PacketFlags.TRANSPORT_BAD);
        }
        if (hashes && ReceiveCompletion.hashType(said) != 0) {
            known |= PacketFlags.HASHED;
        }
        tagged = (said & ReceiveCompletion.TAGGED) != 0;
        tag = ReceiveCompletion.vlan(said);
        if (tagged) {
            known |= tags ? PacketFlags.TAGGED | PacketFlags.TAG_STRIPPED : PacketFlags.TAGGED;
        }
        flags = known;
    }

    private static int bit(int said, int mask, int flag) {
        return (said & mask) != 0 ? flag : 0;
    }

    @Override
    void describe(int packet, int length, long entry, int part) {
        pool.first(packet, PacketPool.first(PacketPool.HEADROOM, length, flags));
        pool.second(packet, PacketPool.second(RawMemory.get32(entry + ReceiveCompletion.hashAt(part)),
                tagged ? tag : 0));
        if (tagged && !tags) {
            putTag(packet, tag);
        }
    }
}
