package io.manafold.traffic.internal;

import io.manafold.api.net.NetDevice;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.traffic.TrafficAddresses;
import io.manafold.api.traffic.TrafficForm;
import io.manafold.api.traffic.TrafficForm.Transport;
import io.manafold.packet.EtherType;
import io.manafold.packet.InternetChecksum;
import io.manafold.packet.Protocol;

/** Writes the headers of the packets of a run. Addresses are of ranges that no host has, and name both devices. */
final class TestHeaders {
    static final int FIRST_PORT = 10_000;
    static final int IPV4_SOURCE = 0xc612_0000;
    static final int IPV4_DESTINATION = 0xc613_0000;
    static final long IPV6_SOURCE = 0x2001_0002_0000_0001L;
    static final long IPV6_DESTINATION = 0x2001_0002_0000_0002L;

    private static final int ETHERNET = 14;
    private static final int IPV4 = 20;
    private static final int IPV6 = 40;
    private static final int DO_NOT_FRAGMENT = 0x4000;
    private static final int HOPS = 64;
    private static final int ACKNOWLEDGED = 1;
    private static final int TCP_PUSH_ACK = 0x5018;
    private static final int WINDOW = 0xffff;

    private final TrafficForm form;
    /** Whether checksums are filled in here and not by the device. */
    private final boolean fills;
    private final int source;
    private final int destination;

    TestHeaders(TrafficForm form, NetDevice from, NetDevice to) {
        this.form = form;
        fills = form.wrongChecksum() || form.isIp() && !isOn(from, form.ipv6() ? "tx-checksum-ipv6"
                : "tx-checksum-ipv4");
        source = form.isIp() ? from.index() & 0xffff : 0;
        destination = form.isIp() ? to.index() & 0xffff : 0;
    }

    static boolean isOn(NetDevice device, String feature) {
        return device.features().stream().anyMatch(one -> one.name().equals(feature) && one.on());
    }

    TrafficAddresses addresses() {
        return form.ipv6() ? new TrafficAddresses("2001:2:0:1::" + Integer.toHexString(source), "2001:2:0:2::"
                + Integer.toHexString(destination), FIRST_PORT, form.port())
                : new TrafficAddresses("198.18." + (source >>> 8) + "." + (source & 0xff), "198.19."
                + (destination >>> 8) + "." + (destination & 0xff), FIRST_PORT, form.port());
    }

    /**
     * Writes all headers.
     *
     * @param ofFlow how many packets of the flow went before
     * @param payload bytes behind the headers
     */
    void write(PacketBuffer packet, long toMac, long fromMac, int flow, long ofFlow, int payload) {
        packet.put32(0, (int) (toMac >>> 16));
        packet.put16(4, (int) toMac);
        packet.put32(6, (int) (fromMac >>> 16));
        packet.put16(10, (int) fromMac);
        if (!form.isIp()) {
            packet.put16(12, TestPackets.ETHER_TYPE);
            return;
        }
        int transport = form.headers() - ETHERNET - (form.ipv6() ? IPV6 : IPV4);
        int protocol = form.transport() == Transport.TCP ? Protocol.TCP : Protocol.UDP;
        if (form.ipv6()) {
            ipv6(packet, protocol, transport + payload);
        } else {
            ipv4(packet, protocol, transport + payload, (int) ofFlow);
        }
        int at = form.headers() - transport;
        packet.put16(at, FIRST_PORT + flow);
        packet.put16(at + 2, form.port());
        if (form.transport() == Transport.UDP) {
            packet.put16(at + 4, transport + payload);
            packet.put16(at + 6, 0);
        } else {
            packet.put32(at + 4, (int) (1 + ofFlow * payload));
            packet.put32(at + 8, ACKNOWLEDGED);
            packet.put16(at + 12, TCP_PUSH_ACK);
            packet.put16(at + 14, WINDOW);
            packet.put32(at + 16, 0);
        }
    }

    private void ipv4(PacketBuffer packet, int protocol, int above, int id) {
        packet.put16(12, EtherType.IPV4);
        packet.put16(ETHERNET, 0x4500);
        packet.put16(ETHERNET + 2, IPV4 + above);
        packet.put16(ETHERNET + 4, id);
        packet.put16(ETHERNET + 6, DO_NOT_FRAGMENT);
        packet.put8(ETHERNET + 8, HOPS);
        packet.put8(ETHERNET + 9, protocol);
        packet.put16(ETHERNET + 10, 0);
        packet.put32(ETHERNET + 12, IPV4_SOURCE | source);
        packet.put32(ETHERNET + 16, IPV4_DESTINATION | destination);
    }

    private void ipv6(PacketBuffer packet, int protocol, int above) {
        packet.put16(12, EtherType.IPV6);
        packet.put32(ETHERNET, 6 << 28);
        packet.put16(ETHERNET + 4, above);
        packet.put8(ETHERNET + 6, protocol);
        packet.put8(ETHERNET + 7, HOPS);
        packet.put64(ETHERNET + 8, IPV6_SOURCE);
        packet.put64(ETHERNET + 16, source);
        packet.put64(ETHERNET + 24, IPV6_DESTINATION);
        packet.put64(ETHERNET + 32, destination);
    }

    /** Says what the device is to do with a packet that is written whole. */
    void finish(PacketBuffer packet) {
        int flags = 0;
        if (form.isIp()) {
            flags = form.ipv6() ? 0 : PacketBuffer.FILL_IP_CHECKSUM;
            packet.transportOffset(form.headers() - (form.transport() == Transport.TCP ? 20 : 8));
            if (fills) {
                checksum(packet);
            } else {
                flags |= PacketBuffer.FILL_TRANSPORT_CHECKSUM;
            }
        }
        if (form.vlan() != 0) {
            flags |= PacketBuffer.TAGGED;
            packet.tag(form.vlan());
        }
        packet.flags(flags);
    }

    private void checksum(PacketBuffer packet) {
        boolean tcp = form.transport() == Transport.TCP;
        int transport = packet.transportOffset();
        int bytes = packet.length() - transport;
        long sum = bytes + (tcp ? Protocol.TCP : Protocol.UDP);
        int addresses = ETHERNET + (form.ipv6() ? 8 : 12);
        for (int at = addresses; at < addresses + (form.ipv6() ? 32 : 8); at += 2) {
            sum += packet.get16(at);
        }
        for (int at = transport; at + 1 < packet.length(); at += 2) {
            sum += packet.get16(at);
        }
        if ((bytes & 1) != 0) {
            sum += packet.get8(packet.length() - 1) << 8;
        }
        // UDP has all ones for 0, and TCP may
        int right = InternetChecksum.finishUdp(sum);
        packet.put16(transport + (tcp ? 16 : 6), !form.wrongChecksum() ? right : right == 0x5a5a ? 0x3c3c
                : right ^ 0x5a5a);
    }
}
