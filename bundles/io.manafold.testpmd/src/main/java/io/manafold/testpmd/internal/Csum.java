package io.manafold.testpmd.internal;

import io.manafold.api.ethdev.EthDevPlan;
import io.manafold.api.ethdev.Offload;
import io.manafold.memory.PacketFlags;
import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;
import io.manafold.packet.EtherType;
import io.manafold.packet.Headers;
import io.manafold.packet.InternetChecksum;
import io.manafold.packet.Protocol;

/**
 * Sets the addresses as mac does, and the checksums of IPv4, TCP and UDP: has the port that sends compute those that it
 * was started to compute, and computes the others.
 */
final class Csum extends ForwardStream {
    private final long both;
    private final int rest;
    private final boolean ipByDevice;
    private final boolean udpByDevice;
    private final boolean tcpByDevice;
    private final Headers headers = new Headers();
    /** {@code null} where packets are sent as they came. */
    private final SplitCopy split;
    /** The bytes of a packet. */
    private byte[] bytes;
    private long badIp;
    private long badTransport;

    Csum(Route route) {
        super(route);
        both = Addresses.first(route);
        rest = Addresses.rest(route);
        EthDevPlan plan = route.to().plan();
        long offloads = plan == null ? 0 : plan.sendOffloads();
        ipByDevice = (offloads & Offload.SEND_IPV4_CHECKSUM) != 0;
        udpByDevice = (offloads & Offload.SEND_UDP_CHECKSUM) != 0;
        tcpByDevice = (offloads & Offload.SEND_TCP_CHECKSUM) != 0;
        split = route.settings().split == Split.OFF ? null : new SplitCopy(route);
        bytes = new byte[pool.room() + PacketPool.HEADROOM];
    }

    @Override
    long badIp() {
        return badIp;
    }

    @Override
    long badTransport() {
        return badTransport;
    }

    @Override
    void clear() {
        super.clear();
        badIp = 0;
        badTransport = 0;
    }

    @Override
    public int turn() {
        int count = receive();
        if (count > 0) {
            // at a secondary packets that came are of its primary's pool, which may have more room
            PacketPool came = PacketPool.of(packets[0]);
            if (came.room() + PacketPool.HEADROOM > bytes.length) {
                bytes = new byte[came.room() + PacketPool.HEADROOM];
            }
            for (int i = 0; i < count; i++) {
                checksums(came, packets[i]);
            }
            Addresses.set(packets, 0, count, both, rest);
            if (split != null) {
                int first = packets[0];
                split.copy(packets, 0, count);
                becomes(first, packets[0]);
            }
            send(packets, 0, count);
        }
        return count;
    }

    private void checksums(PacketPool came, int packet) {
        long word = came.first(packet);
        int flags = PacketPool.flags(word);
        badIp += (flags & PacketFlags.IP_BAD) != 0 ? 1 : 0;
        badTransport += (flags & PacketFlags.TRANSPORT_BAD) != 0 ? 1 : 0;
        int length = Math.min(PacketPool.length(word), bytes.length);
        long at = came.data(packet);
        RawMemory.copy(at, bytes, 0, length);
        int ask = 0;
        if (headers.parse(bytes, 0, length, length) && headers.isIp()) {
            boolean known = isKnown();
            ask = ipHeader(at, known && ipByDevice)
                    | transport(at, known && (headers.protocol() == Protocol.UDP ? udpByDevice : tcpByDevice));
            if (ask != 0) {
                ask |= headers.isIpv4() ? PacketFlags.IPV4 : PacketFlags.IPV6;
            }
        }
        came.first(packet, PacketPool.first(PacketPool.offset(word), PacketPool.length(word),
                flags & ~PacketFlags.SEND | ask));
    }

    /** Whether ports find the headers: behind one tag of a customer at most, and without extension headers of IPv6. */
    private boolean isKnown() {
        int tags = headers.tags();
        boolean plain = tags == 0 || tags == 1 && bytes[12] == (byte) (EtherType.VLAN >>> 8)
                && bytes[13] == (byte) EtherType.VLAN;
        return plain && !headers.hasExtensions();
    }

    private int ipHeader(long at, boolean byDevice) {
        if (!headers.isIpv4()) {
            return 0;
        }
        int place = headers.network();
        if (byDevice) {
            RawMemory.put16(at + place + 10, 0);
            return PacketFlags.IP_CHECKSUM;
        }
        int size = (bytes[place] & 0xf) * 4;
        bytes[place + 10] = 0;
        bytes[place + 11] = 0;
        RawMemory.putBig16(at + place + 10, InternetChecksum.finish(InternetChecksum.add(0, bytes, place, size)));
        return 0;
    }

    private int transport(long at, boolean byDevice) {
        if (headers.isFragment() || !headers.isTcp() && !headers.isUdp()) {
            return 0;
        }
        int place = headers.transportChecksum();
        boolean udp = headers.protocol() == Protocol.UDP;
        if (udp && headers.isIpv4() && bytes[place] == 0 && bytes[place + 1] == 0) {
            return 0;
        }
        if (headers.hasExtensions() && isUnderWay()) {
            return 0;
        }
        if (byDevice) {
            return udp ? PacketFlags.UDP_CHECKSUM : PacketFlags.TCP_CHECKSUM;
        }
        bytes[place] = 0;
        bytes[place + 1] = 0;
        long sum = InternetChecksum.pseudoHeader(bytes, headers.addresses(), headers.addressBytes(), headers.protocol(),
                headers.transportLength());
        sum = InternetChecksum.add(sum, bytes, headers.transport(), headers.transportLength());
        RawMemory.putBig16(at + place, udp ? InternetChecksum.finishUdp(sum) : InternetChecksum.finish(sum));
        return 0;
    }

    /** Whether a routing header has segments left: the checksum is over the last address, which is not there yet. */
    private boolean isUnderWay() {
        int next = bytes[headers.network() + 6] & 0xff;
        int at = headers.network() + 40;
        while (at < headers.transport()) {
            if (next == Protocol.ROUTING && bytes[at + 3] != 0) {
                return true;
            }
            int units = bytes[at + 1] & 0xff;
            int size = next == Protocol.FRAGMENT ? 8 : next == Protocol.AUTHENTICATION ? (units + 2) * 4
                    : (units + 1) * 8;
            next = bytes[at] & 0xff;
            at += size;
        }
        return false;
    }
}
