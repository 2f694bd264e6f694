package io.manafold.inet.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.PingEvent;
import io.manafold.api.net.PacketBuffer;
import io.manafold.packet.InternetChecksum;
import io.manafold.packet.Protocol;

/**
 * Echoes and what cannot be reached, for both versions of IP: answers requests in the buffer that they came in, passes
 * answers on to those who asked, and tells senders what is not here. On the device's thread.
 */
final class Icmp {
    static final int ECHO4 = 8;
    static final int ECHO_REPLY4 = 0;
    static final int UNREACHABLE4 = 3;
    static final int EXCEEDED4 = 11;
    static final int ECHO6 = 128;
    static final int ECHO_REPLY6 = 129;
    static final int UNREACHABLE6 = 1;
    static final int EXCEEDED6 = 3;
    static final int PROBLEM6 = 4;
    static final int HEADER = 8;
    private static final int TTL = 64;
    /** How much of a packet is sent back with an error. */
    private static final int QUOTED4 = 576 - Output.IPV4 - HEADER;
    private static final int QUOTED6 = 1280 - Output.IPV6 - HEADER;
    private static final int ERRORS_A_SECOND = 1000;
    private static final int ERRORS_AT_ONCE = 50;

    private final Output output;
    private final NeighbourDiscovery discovery;
    private final Counters counters;
    private final byte[] header = new byte[HEADER];
    private EchoRun[] runs = {};
    private long errorCredit = ERRORS_AT_ONCE * Clock.SECOND;
    private long creditedAt;
    private boolean credited;

    Icmp(Output output, NeighbourDiscovery discovery, Counters counters) {
        this.output = output;
        this.discovery = discovery;
        this.counters = counters;
    }

    void begin(EchoRun[] current) {
        runs = current;
    }

    /** True if the packet was sent on and is not the caller's any more. */
    boolean receive(Frame frame) {
        int version = frame.version;
        int length = frame.headers.transportLength();
        counters.count(HostCounter.ICMP_RECEIVED, version);
        if (length < HEADER) {
            counters.count(HostCounter.ICMP_BROKEN, version);
            return false;
        }
        boolean good = version == 4 ? frame.isPlainChecksumGood()
                : frame.isTransportChecksumGood(Protocol.ICMPV6, length);
        if (!good) {
            counters.count(HostCounter.ICMP_BAD_CHECKSUM, version);
            return false;
        }
        int type = BigEndian.get8(frame.bytes, frame.headers.transport());
        if (version == 4) {
            switch (type) {
                case ECHO4 -> {
                    return answer(frame);
                }
                case ECHO_REPLY4 -> reply(frame);
                case UNREACHABLE4, EXCEEDED4 -> error(frame, type == EXCEEDED4);
                default -> {
                    // what a host without routers and masters has no use for
                }
            }
        } else {
            switch (type) {
                case ECHO6 -> {
                    return answer(frame);
                }
                case ECHO_REPLY6 -> reply(frame);
                case UNREACHABLE6, EXCEEDED6, PROBLEM6 -> error(frame, type == EXCEEDED6);
                case NeighbourDiscovery.SOLICITATION,
                        NeighbourDiscovery.ADVERTISEMENT -> discovery.receive(frame, type);
                default -> {
                    // as above
                }
            }
        }
        return false;
    }

    private boolean answer(Frame frame) {
        int version = frame.version;
        counters.count(HostCounter.ICMP_ECHO_IN, version);
        if (!frame.isFromStation() || version == 4
                && (frame.isToGroup() || output.addressing().isBroadcast(frame.toLow))) {
            return false;
        }
        long sourceHigh = frame.toHigh;
        long sourceLow = frame.toLow;
        int at = frame.headers.transport();
        int before = BigEndian.get16(frame.bytes, at);
        int after = version == 4 ? before & 0xff : ECHO_REPLY6 << 8 | before & 0xff;
        long sum = (~BigEndian.get16(frame.bytes, at + 2) & 0xffff) + (~before & 0xffff) + after;
        if (frame.isToGroup()) {
            IpAddress source = output.addressing().source(output.addressing().route(6, frame.fromHigh, frame.fromLow),
                    IpAddress.ipv6(frame.fromHigh, frame.fromLow));
            if (source == null) {
                return false;
            }
            sum += ~InternetChecksum.fold(Output.pseudoHeader(6, 0, 0, sourceHigh, sourceLow, 0, 0)) & 0xffff;
            sourceHigh = source.high();
            sourceLow = source.low();
            sum += InternetChecksum.fold(Output.pseudoHeader(6, 0, 0, sourceHigh, sourceLow, 0, 0));
        }
        PacketBuffer packet = frame.packet;
        int length = frame.headers.transportLength();
        int transport = Output.transport(version);
        packet.place(packet.headroom() + at - transport, transport + length);
        packet.put16(transport, after);
        packet.put16(transport + 2, InternetChecksum.finish(sum));
        output.ip(packet, version, sourceHigh, sourceLow, frame.fromHigh, frame.fromLow,
                version == 4 ? Protocol.ICMP : Protocol.ICMPV6, TTL, length);
        counters.count(HostCounter.ICMP_ECHO_REPLY_OUT, version);
        output.route(packet, version, frame.fromHigh, frame.fromLow);
        return true;
    }

    private void reply(Frame frame) {
        counters.count(HostCounter.ICMP_ECHO_REPLY_IN, frame.version);
        EchoRun run = find(frame.version, BigEndian.get16(frame.bytes, frame.headers.transport() + 4));
        if (run != null) {
            frame.whole();
            run.answered(frame, output.now());
        }
    }

    private EchoRun find(int version, int identifier) {
        for (EchoRun run : runs) {
            if (run.identifier() == identifier && run.version() == version) {
                return run;
            }
        }
        return null;
    }

    /** A host cannot do what we asked for: it sends back the beginning of the packet that asked. */
    private void error(Frame frame, boolean exceeded) {
        int version = frame.version;
        counters.count(HostCounter.ICMP_UNREACHABLE_IN, version);
        frame.whole();
        byte[] bytes = frame.bytes;
        int inner = frame.headers.transport() + HEADER;
        int end = frame.headers.transport() + frame.headers.transportLength();
        int size = version == 4 ? Output.IPV4 : Output.IPV6;
        if (inner + size > end || BigEndian.get8(bytes, inner) >>> 4 != version) {
            return;
        }
        int protocol = BigEndian.get8(bytes, inner + (version == 4 ? 9 : 6));
        int at = inner + (version == 4 ? (bytes[inner] & 0xf) * 4 : size);
        if (protocol != (version == 4 ? Protocol.ICMP : Protocol.ICMPV6) || at + HEADER > end
                || BigEndian.get8(bytes, at) != (version == 4 ? ECHO4 : ECHO6)) {
            return;
        }
        EchoRun run = find(version, BigEndian.get16(bytes, at + 4));
        if (run != null) {
            int code = BigEndian.get8(bytes, frame.headers.transport() + 1);
            run.failed(exceeded ? PingEvent.Kind.TIME_EXCEEDED : kind(version, code), BigEndian.get16(bytes, at + 6),
                    new IpAddress(version, frame.fromHigh, frame.fromLow), output.now());
        }
    }

    private static PingEvent.Kind kind(int version, int code) {
        if (version == 4) {
            return switch (code) {
                case 0 -> PingEvent.Kind.NET_UNREACHABLE;
                case 2, 3 -> PingEvent.Kind.PORT_UNREACHABLE;
                default -> PingEvent.Kind.HOST_UNREACHABLE;
            };
        }
        return switch (code) {
            case 0 -> PingEvent.Kind.NET_UNREACHABLE;
            case 4 -> PingEvent.Kind.PORT_UNREACHABLE;
            default -> PingEvent.Kind.HOST_UNREACHABLE;
        };
    }

    /** A packet of ours waited for a neighbour in vain. */
    void unreached(PacketBuffer packet) {
        int version = packet.get8(Output.transport(4) - Output.IPV4) >>> 4;
        int at = Output.transport(version);
        int protocol = packet.get8(version == 4 ? 23 : 20);
        if (protocol == (version == 4 ? Protocol.ICMP : Protocol.ICMPV6) && packet.length() >= at + HEADER
                && packet.get8(at) == (version == 4 ? ECHO4 : ECHO6)) {
            EchoRun run = find(version, packet.get16(at + 4));
            if (run != null) {
                run.failed(PingEvent.Kind.HOST_UNREACHABLE, packet.get16(at + 6), run.source(), output.now());
            }
        }
    }

    /** Tells the sender of a datagram that no user takes it here. */
    void portUnreachable(Frame frame) {
        refuse(frame, frame.version == 4 ? UNREACHABLE4 << 8 | 3 : UNREACHABLE6 << 8 | 4, 0);
    }

    /** Tells a sender that this host does not speak that protocol. */
    void protocolUnreachable(Frame frame) {
        refuse(frame, frame.version == 4 ? UNREACHABLE4 << 8 | 2 : PROBLEM6 << 8 | 1, frame.version == 4 ? 0 : 6);
    }

    private void refuse(Frame frame, int typeAndCode, int rest) {
        int version = frame.version;
        if (!frame.isFromStation() || frame.isToGroup() || (frame.toMac >>> 40 & 1) != 0
                || !output.addressing().isOwn(version, frame.toHigh, frame.toLow)) {
            return;
        }
        if (!spend()) {
            counters.count(HostCounter.ICMP_SPARED);
            return;
        }
        frame.whole();
        int network = frame.headers.network();
        int whole = frame.headers.transport() + frame.headers.transportLength() - network;
        int quoted = Math.min(whole, version == 4 ? QUOTED4 : QUOTED6);
        quoted = Math.min(quoted, output.facts().mtu() - (version == 4 ? Output.IPV4 : Output.IPV6) - HEADER);
        int at = Output.transport(version);
        PacketBuffer packet = quoted <= 0 ? null : output.take(at + HEADER + quoted);
        if (packet == null) {
            return;
        }
        BigEndian.put16(header, 0, typeAndCode);
        BigEndian.put16(header, 2, 0);
        BigEndian.put32(header, 4, rest);
        int protocol = version == 4 ? Protocol.ICMP : Protocol.ICMPV6;
        long sum = version == 4 ? 0 : Output.pseudoHeader(6, frame.toHigh, frame.toLow, frame.fromHigh,
                frame.fromLow, protocol, HEADER + quoted);
        sum = InternetChecksum.add(sum, header, 0, HEADER);
        sum = InternetChecksum.add(sum, frame.bytes, network, quoted);
        BigEndian.put16(header, 2, InternetChecksum.finish(sum));
        packet.put(at, header, 0, HEADER);
        packet.put(at + HEADER, frame.bytes, network, quoted);
        output.ip(packet, version, frame.toHigh, frame.toLow, frame.fromHigh, frame.fromLow, protocol, TTL,
                HEADER + quoted);
        counters.count(HostCounter.ICMP_UNREACHABLE_OUT, version);
        output.route(packet, version, frame.fromHigh, frame.fromLow);
    }

    private boolean spend() {
        long now = output.now();
        long passed = credited ? Math.min(now - creditedAt, Clock.SECOND) : 0;
        credited = true;
        creditedAt = now;
        errorCredit = Math.min(errorCredit + passed * ERRORS_A_SECOND, ERRORS_AT_ONCE * Clock.SECOND);
        if (errorCredit < Clock.SECOND) {
            return false;
        }
        errorCredit -= Clock.SECOND;
        return true;
    }

    /** Sends an echo request. */
    boolean ask(EchoRun run, int sequence, byte[] payload) {
        int version = run.version();
        int at = Output.transport(version);
        PacketBuffer packet = output.take(at + HEADER + payload.length);
        if (packet == null) {
            return false;
        }
        IpAddress from = run.source();
        IpAddress to = run.target();
        int protocol = version == 4 ? Protocol.ICMP : Protocol.ICMPV6;
        BigEndian.put16(header, 0, (version == 4 ? ECHO4 : ECHO6) << 8);
        BigEndian.put16(header, 2, 0);
        BigEndian.put16(header, 4, run.identifier());
        BigEndian.put16(header, 6, sequence);
        long sum = version == 4 ? 0 : Output.pseudoHeader(6, from.high(), from.low(), to.high(), to.low(), protocol,
                HEADER + payload.length);
        sum = InternetChecksum.add(sum, header, 0, HEADER);
        sum = InternetChecksum.add(sum, payload, 0, payload.length);
        BigEndian.put16(header, 2, InternetChecksum.finish(sum));
        packet.put(at, header, 0, HEADER);
        packet.put(at + HEADER, payload, 0, payload.length);
        output.ip(packet, version, from.high(), from.low(), to.high(), to.low(), protocol, run.ttl(),
                HEADER + payload.length);
        counters.count(HostCounter.ICMP_ECHO_OUT, version);
        output.route(packet, version, to.high(), to.low());
        return true;
    }
}
