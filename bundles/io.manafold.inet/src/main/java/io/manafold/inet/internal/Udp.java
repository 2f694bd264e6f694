package io.manafold.inet.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.Route;
import io.manafold.api.net.PacketBuffer;
import io.manafold.packet.Headers;
import io.manafold.packet.InternetChecksum;
import io.manafold.packet.Protocol;

/** Datagrams in and out. On the device's thread. */
final class Udp {
    private static final int TTL = 64;

    private final Output output;
    private final Icmp icmp;
    private final Counters counters;
    private final byte[] header = new byte[Output.UDP];
    private UdpPort[] ports = {};

    Udp(Output output, Icmp icmp, Counters counters) {
        this.output = output;
        this.icmp = icmp;
        this.counters = counters;
    }

    void begin(UdpPort[] current) {
        ports = current;
    }

    void receive(Frame frame) {
        int version = frame.version;
        int at = frame.headers.transport();
        int length = frame.headers.transportHeader() == 0 ? 0 : BigEndian.get16(frame.bytes, at + 4);
        if (length < Output.UDP || length > frame.headers.transportLength()) {
            counters.count(HostCounter.UDP_BROKEN, version);
            return;
        }
        boolean summed = BigEndian.get16(frame.bytes, at + 6) != 0;
        if (summed ? !frame.isTransportChecksumGood(Protocol.UDP, length) : version == 6) {
            counters.count(HostCounter.UDP_BAD_CHECKSUM, version);
            return;
        }
        UdpPort port = find(version, frame.toHigh, frame.toLow, BigEndian.get16(frame.bytes, at + 2));
        if (port == null) {
            counters.count(HostCounter.UDP_NO_PORT, version);
            icmp.portUnreachable(frame);
            return;
        }
        counters.count(HostCounter.UDP_RECEIVED, version);
        port.receive(frame, at + Output.UDP, length - Output.UDP);
    }

    /** A port for that very address before one for all. */
    private UdpPort find(int version, long high, long low, int number) {
        UdpPort all = null;
        for (UdpPort port : ports) {
            if (port.takes(version, high, low, number)) {
                if (!port.address().isUnspecified()) {
                    return port;
                }
                all = port;
            }
        }
        return all;
    }

    /** Sends a datagram; false if there is no buffer or no way. */
    boolean send(UdpPort from, byte[] data, int offset, int length, IpAddress to, int toPort) {
        int version = to.version();
        boolean sent = trySend(from, version, data, offset, length, to, toPort);
        counters.count(sent ? HostCounter.UDP_SENT : HostCounter.UDP_NOT_SENT, version);
        from.went(sent, length);
        return sent;
    }

    private boolean trySend(UdpPort from, int version, byte[] data, int offset, int length, IpAddress to, int toPort) {
        Addressing own = output.addressing();
        IpAddress source = from.address();
        if (source.isUnspecified()) {
            Route route = own.route(version, to.high(), to.low());
            source = own.source(route, to);
        }
        int at = Output.transport(version);
        DeviceSnapshot facts = output.facts();
        if (source == null || at - Headers.ETHERNET + Output.UDP + length > facts.mtu()) {
            return false;
        }
        PacketBuffer packet = output.take(at + Output.UDP + length);
        if (packet == null) {
            return false;
        }
        int bytes = Output.UDP + length;
        BigEndian.put16(header, 0, from.port());
        BigEndian.put16(header, 2, toPort);
        BigEndian.put16(header, 4, bytes);
        long sum = Output.pseudoHeader(version, source.high(), source.low(), to.high(), to.low(), Protocol.UDP, bytes);
        if (version == 4 ? facts.checksum4() : facts.checksum6()) {
            BigEndian.put16(header, 6, InternetChecksum.fold(sum));
            packet.flags(PacketBuffer.FILL_TRANSPORT_CHECKSUM);
            packet.transportOffset(at);
        } else {
            BigEndian.put16(header, 6, 0);
            sum = InternetChecksum.add(sum, header, 0, Output.UDP);
            sum = InternetChecksum.add(sum, data, offset, length);
            BigEndian.put16(header, 6, InternetChecksum.finishUdp(sum));
        }
        packet.put(at, header, 0, Output.UDP);
        packet.put(at + Output.UDP, data, offset, length);
        output.ip(packet, version, source.high(), source.low(), to.high(), to.low(), Protocol.UDP, TTL, bytes);
        output.route(packet, version, to.high(), to.low());
        return true;
    }
}
