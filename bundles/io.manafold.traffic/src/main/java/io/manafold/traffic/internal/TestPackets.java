package io.manafold.traffic.internal;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketFilter;
import io.manafold.packet.EtherType;
import io.manafold.packet.Protocol;

/**
 * Tells made-up packets from all others: by an EtherType or addresses that nothing else has, and by a mark behind the
 * headers, so that what a host sends and receives stays the host's, whatever its addresses.
 */
final class TestPackets implements PacketFilter {
    /** One that is free for experiments. */
    static final int ETHER_TYPE = 0x88b5;

    private static final int ETHERNET = 14;
    private static final int TAG = 4;
    private static final int MEASURING_4 = 0xfffe_0000;
    private static final int MEASURING_6 = 16;

    @Override
    public boolean picks(PacketBuffer packet) {
        return find(packet) > 0;
    }

    /** Where the numbers of a packet are, 0 if it is none that was made here. */
    static int find(PacketBuffer packet) {
        int length = packet.length();
        if (length < ETHERNET + TAG) {
            return 0;
        }
        int ip = ETHERNET;
        int type = packet.get16(ip - 2);
        if (type == EtherType.VLAN) {
            ip += TAG;
            type = packet.get16(ip - 2);
        }
        int at = switch (type) {
            case ETHER_TYPE -> ip;
            case EtherType.IPV4 -> behindIpv4(packet, ip, length);
            case EtherType.IPV6 -> behindIpv6(packet, ip, length);
            default -> 0;
        };
        return at > 0 && TestFrame.isAt(packet, at) ? at : 0;
    }

    private static int behindIpv4(PacketBuffer packet, int ip, int length) {
        if (length < ip + 28 || packet.get8(ip) != 0x45 || (packet.get32(ip + 12) & MEASURING_4)
                != TestHeaders.IPV4_SOURCE || (packet.get32(ip + 16) & MEASURING_4) != TestHeaders.IPV4_SOURCE) {
            return 0;
        }
        return behind(packet.get8(ip + 9), ip + 20);
    }

    private static int behindIpv6(PacketBuffer packet, int ip, int length) {
        if (length < ip + 48 || packet.get64(ip + 8) >>> MEASURING_6 != TestHeaders.IPV6_SOURCE >>> MEASURING_6
                || packet.get64(ip + 24) >>> MEASURING_6 != TestHeaders.IPV6_SOURCE >>> MEASURING_6) {
            return 0;
        }
        return behind(packet.get8(ip + 6), ip + 40);
    }

    private static int behind(int protocol, int at) {
        return protocol == Protocol.UDP ? at + 8 : protocol == Protocol.TCP ? at + 20 : 0;
    }
}
