package io.manafold.testpmd.internal;

import io.manafold.memory.PacketFlags;
import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;
import io.manafold.packet.EtherType;
import io.manafold.packet.Protocol;

/** A packet in two lines, by the labels that poll-mode users know. */
final class PacketText {
    private static final int ETHERNET = 14;
    private static final int IPV4 = 20;
    private static final int IPV6 = 40;
    private static final int TCP = 20;
    private static final int UDP = 8;
    private static final int ICMP = 8;

    private PacketText() {
    }

    static void append(StringBuilder text, int packet, int queue, boolean received) {
        PacketPool pool = PacketPool.of(packet);
        long first = pool.first(packet);
        long second = pool.second(packet);
        long frame = pool.data(packet);
        int length = PacketPool.length(first);
        int flags = PacketPool.flags(first);
        if (length < ETHERNET) {
            text.append("  a packet of ").append(length).append(" bytes, which are no header of Ethernet\n");
            return;
        }
        text.append("  src=");
        mac(text, frame + 6);
        text.append(" - dst=");
        mac(text, frame);
        text.append(" - pool=%s - type=0x%04x - length=%d - nb_segs=%d".formatted(pool.name(),
                RawMemory.getBig16(frame + 12), whole(packet), PacketPool.segments(second)));
        if (received && (flags & PacketFlags.HASHED) != 0) {
            text.append(" - RSS hash=0x%x - RSS queue=0x%x".formatted(PacketPool.hash(second), queue));
        }
        if ((flags & (received ? PacketFlags.TAGGED : PacketFlags.INSERT_TAG)) != 0) {
            text.append(" - VLAN tci=0x%x".formatted(PacketPool.tag(second)));
        }
        layers(text, frame, length);
        text.append(" - %s queue=0x%x\n  ol_flags: ".formatted(received ? "Receive" : "Send", queue));
        if (received) {
            receivedFlags(text, flags);
        } else {
            sentFlags(text, flags);
        }
        text.append('\n');
    }

    private static void mac(StringBuilder text, long at) {
        text.append("%04X%04X%04X".formatted(RawMemory.getBig16(at), RawMemory.getBig16(at + 2),
                RawMemory.getBig16(at + 4))
                .replaceAll("(..)(?=.)", "$1:"));
    }

    /** Bytes of all segments. */
    private static int whole(int packet) {
        PacketPool pool = PacketPool.of(packet);
        int all = 0;
        int segment = packet;
        for (int left = PacketPool.segments(pool.second(packet)); left > 0; left--) {
            all += PacketPool.length(pool.first(segment));
            segment = left > 1 ? pool.next(segment) : segment;
            pool = PacketPool.of(segment);
        }
        return all;
    }

    /** What the bytes say that the packet is. */
    private static void layers(StringBuilder text, long frame, int length) {
        int network = Addresses.network(frame, length);
        int tags = (network - ETHERNET) / 4;
        int type = network <= length ? RawMemory.getBig16(frame + network - 2) : 0;
        String link = tags == 0 ? type == EtherType.ARP ? "L2_ETHER_ARP" : "L2_ETHER" : tags == 1 ? "L2_ETHER_VLAN"
                : "L2_ETHER_QINQ";
        int left = length - network;
        int networkLength = 0;
        int protocol = -1;
        String name = "";
        if (type == EtherType.IPV4 && left >= IPV4) {
            networkLength = (RawMemory.get8(frame + network) & 0xf) * 4;
            name = networkLength == IPV4 ? "L3_IPV4" : "L3_IPV4_EXT";
            protocol = (RawMemory.getBig16(frame + network + 6) & 0x3fff) == 0
                    ? RawMemory.get8(frame + network + 9) & 0xff : -1;
        } else if (type == EtherType.IPV6 && left >= IPV6) {
            networkLength = IPV6;
            name = "L3_IPV6";
            protocol = RawMemory.get8(frame + network + 6) & 0xff;
        }
        left -= networkLength;
        int transport = switch (protocol) {
            case Protocol.TCP -> left >= TCP ? (RawMemory.get8(frame + network + networkLength + 12) >> 4 & 0xf)
                    * 4 : 0;
            case Protocol.UDP -> left >= UDP ? UDP : 0;
            case Protocol.ICMP -> left >= ICMP ? 0 : -1;
            default -> -1;
        };
        String above = switch (protocol) {
            case Protocol.TCP -> "L4_TCP ";
            case Protocol.UDP -> "L4_UDP ";
            default -> "";
        };
        text.append(" - sw ptype: ").append(link).append(' ').append(name.isEmpty() ? "" : name + " ")
                .append(transport > 0 ? above : "");
        text.append(" - l2_len=").append(network);
        if (networkLength > 0) {
            text.append(" - l3_len=").append(networkLength);
        }
        if (transport > 0) {
            text.append(" - l4_len=").append(transport);
        }
    }

    private static void receivedFlags(StringBuilder text, int flags) {
        flag(text, flags, PacketFlags.TAGGED, "RX_VLAN");
        flag(text, flags, PacketFlags.HASHED, "RX_RSS_HASH");
        checksum(text, flags, PacketFlags.TRANSPORT_BAD, PacketFlags.TRANSPORT_GOOD, "RX_L4_CKSUM");
        checksum(text, flags, PacketFlags.IP_BAD, PacketFlags.IP_GOOD, "RX_IP_CKSUM");
        flag(text, flags, PacketFlags.OUTER_IP_BAD, "RX_OUTER_IP_CKSUM_BAD");
        flag(text, flags, PacketFlags.TAG_STRIPPED, "RX_VLAN_STRIPPED");
        checksum(text, 0, 1, 1, "RX_OUTER_L4_CKSUM");
    }

    private static void sentFlags(StringBuilder text, int flags) {
        flag(text, flags, PacketFlags.INSERT_TAG, "TX_VLAN");
        flag(text, flags, PacketFlags.IP_CHECKSUM, "TX_IP_CKSUM");
        flag(text, flags, PacketFlags.TCP_CHECKSUM, "TX_TCP_CKSUM");
        flag(text, flags, PacketFlags.UDP_CHECKSUM, "TX_UDP_CKSUM");
        boolean none = (flags & (PacketFlags.TCP_CHECKSUM | PacketFlags.UDP_CHECKSUM)) == 0;
        flag(text, none ? 1 : 0, 1, "TX_L4_NO_CKSUM");
        flag(text, flags, PacketFlags.IPV4, "TX_IPV4");
        flag(text, flags, PacketFlags.IPV6, "TX_IPV6");
    }

    private static void checksum(StringBuilder text, int flags, int bad, int good, String name) {
        text.append("RTE_MBUF_F_").append(name).append((flags & bad) != 0 ? "_BAD " : (flags & good) != 0 ? "_GOOD "
                : "_UNKNOWN ");
    }

    private static void flag(StringBuilder text, int flags, int bit, String name) {
        if ((flags & bit) != 0) {
            text.append("RTE_MBUF_F_").append(name).append(' ');
        }
    }
}
