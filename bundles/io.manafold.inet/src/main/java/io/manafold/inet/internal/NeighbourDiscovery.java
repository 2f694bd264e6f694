package io.manafold.inet.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.Route;
import io.manafold.api.net.PacketBuffer;
import io.manafold.packet.EtherType;
import io.manafold.packet.InternetChecksum;
import io.manafold.packet.Protocol;

/** Who has which IPv6 address: asks, answers, and listens to answers. On the device's thread. */
final class NeighbourDiscovery {
    static final int SOLICITATION = 135;
    static final int ADVERTISEMENT = 136;
    /** What only a packet has that no router has passed on. */
    static final int HOPS = 255;
    private static final int SOURCE_OPTION = 1;
    private static final int TARGET_OPTION = 2;
    private static final int ROUTER = 0x8000_0000;
    private static final int SOLICITED = 0x4000_0000;
    private static final int OVERRIDE = 0x2000_0000;
    private static final int FIXED = 24;
    private static final int BYTES = FIXED + 8;
    private static final int OPTIONS = 16;

    private final Output output;
    private final NeighbourTable neighbours;
    private final Counters counters;
    private final byte[] message = new byte[BYTES];

    NeighbourDiscovery(Output output, NeighbourTable neighbours, Counters counters) {
        this.output = output;
        this.neighbours = neighbours;
        this.counters = counters;
    }

    /** A message whose checksum is right. */
    void receive(Frame frame, int type) {
        int at = frame.headers.transport();
        int length = frame.headers.transportLength();
        frame.whole();
        boolean sound = frame.ttl() == HOPS && length >= FIXED && BigEndian.get8(frame.bytes, at + 1) == 0
                && BigEndian.get8(frame.bytes, at + 8) != 0xff && areOptionsSound(frame.bytes, at + FIXED, at + length);
        if (!sound) {
            counters.count(HostCounter.ICMP6_BROKEN);
        } else if (type == SOLICITATION) {
            counters.count(HostCounter.ICMP6_SOLICITATIONS_IN);
            solicitation(frame, at, at + length);
        } else {
            counters.count(HostCounter.ICMP6_ADVERTISEMENTS_IN);
            advertisement(frame, at, at + length);
        }
    }

    private static boolean areOptionsSound(byte[] bytes, int from, int end) {
        int at = from;
        for (int i = 0; i < OPTIONS && at < end; i++) {
            int size = at + 1 < end ? BigEndian.get8(bytes, at + 1) * 8 : 0;
            if (size == 0 || size > end - at) {
                return false;
            }
            at += size;
        }
        return true;
    }

    /** The MAC address of an option, or none. */
    private static long station(byte[] bytes, int from, int end, int option) {
        int at = from;
        for (int i = 0; i < OPTIONS && at + 8 <= end; i++) {
            if (BigEndian.get8(bytes, at) == option && BigEndian.get8(bytes, at + 1) == 1) {
                long mac = BigEndian.get48(bytes, at + 2);
                return mac != 0 && (mac >>> 40 & 1) == 0 ? mac : NeighbourEntry.NO_MAC;
            }
            at += BigEndian.get8(bytes, at + 1) * 8;
        }
        return NeighbourEntry.NO_MAC;
    }

    private void solicitation(Frame frame, int at, int end) {
        long targetHigh = BigEndian.get64(frame.bytes, at + 8);
        long targetLow = BigEndian.get64(frame.bytes, at + 16);
        Addressing own = output.addressing();
        if (!own.isOwn(6, targetHigh, targetLow)) {
            return;
        }
        long mac = station(frame.bytes, at + FIXED, end, SOURCE_OPTION);
        boolean unspecified = frame.fromHigh == 0 && frame.fromLow == 0;
        if (unspecified) {
            // another host wants our address: all are told that it is taken
            if (mac == NeighbourEntry.NO_MAC && frame.isToGroup()) {
                advertise(targetHigh, targetLow, Addressing.groupHigh(), 1, OVERRIDE);
            }
            return;
        }
        if (own.isOwn(6, frame.fromHigh, frame.fromLow)) {
            counters.count(HostCounter.ADDRESS_CONFLICTS);
            return;
        }
        if (!own.isOnLink(6, frame.fromHigh, frame.fromLow) || mac == NeighbourEntry.NO_MAC && frame.isToGroup()) {
            counters.count(HostCounter.ICMP6_BROKEN);
            return;
        }
        if (mac != NeighbourEntry.NO_MAC) {
            output.release(neighbours.heardQuestion(6, frame.fromHigh, frame.fromLow, mac, output.now()), mac);
        }
        advertise(targetHigh, targetLow, frame.fromHigh, frame.fromLow, SOLICITED | OVERRIDE);
    }

    private void advertisement(Frame frame, int at, int end) {
        long targetHigh = BigEndian.get64(frame.bytes, at + 8);
        long targetLow = BigEndian.get64(frame.bytes, at + 16);
        int flags = BigEndian.get32(frame.bytes, at + 4);
        boolean solicited = (flags & SOLICITED) != 0;
        Addressing own = output.addressing();
        if (solicited && frame.isToGroup() || !own.isOnLink(6, targetHigh, targetLow)) {
            counters.count(HostCounter.ICMP6_BROKEN);
            return;
        }
        if (own.isOwn(6, targetHigh, targetLow)) {
            counters.count(HostCounter.ADDRESS_CONFLICTS);
            return;
        }
        long mac = station(frame.bytes, at + FIXED, end, TARGET_OPTION);
        if (mac == NeighbourEntry.NO_MAC) {
            // it may be left out in answer to a question to one station
            mac = frame.fromMac;
        }
        output.release(neighbours.heardAnswer(6, targetHigh, targetLow, mac, solicited, (flags & ROUTER) != 0,
                output.now()), mac);
        if (neighbours.ignored()) {
            counters.count(HostCounter.NEIGHBOUR_IGNORED);
        }
    }

    /** @param mac the host to ask, or none: all whose address ends alike */
    void ask(long high, long low, long mac) {
        Addressing own = output.addressing();
        Route route = own.route(6, high, low);
        IpAddress source = route == null ? null : own.source(route, IpAddress.ipv6(high, low));
        if (source == null) {
            return;
        }
        boolean all = mac == NeighbourEntry.NO_MAC;
        message(SOLICITATION, 0, high, low, SOURCE_OPTION);
        send(source.high(), source.low(), all ? Addressing.groupHigh() : high, all ? Addressing.solicitedNode(low)
                : low, mac);
        counters.count(HostCounter.ICMP6_SOLICITATIONS_OUT);
    }

    /** Tells all hosts where an address of ours is. */
    void announce(long high, long low) {
        advertise(high, low, Addressing.groupHigh(), 1, OVERRIDE);
    }

    private void advertise(long high, long low, long toHigh, long toLow, int flags) {
        message(ADVERTISEMENT, flags, high, low, TARGET_OPTION);
        send(high, low, toHigh, toLow, NeighbourEntry.NO_MAC);
        counters.count(HostCounter.ICMP6_ADVERTISEMENTS_OUT);
    }

    private void message(int type, int flags, long high, long low, int option) {
        BigEndian.put32(message, 0, type << 24);
        BigEndian.put32(message, 4, flags);
        BigEndian.put64(message, 8, high);
        BigEndian.put64(message, 16, low);
        BigEndian.put16(message, FIXED, option << 8 | 1);
        BigEndian.put48(message, FIXED + 2, output.facts().mac());
    }

    private void send(long fromHigh, long fromLow, long toHigh, long toLow, long mac) {
        int at = Output.transport(6);
        PacketBuffer packet = output.take(at + BYTES);
        if (packet == null) {
            return;
        }
        long sum = Output.pseudoHeader(6, fromHigh, fromLow, toHigh, toLow, Protocol.ICMPV6, BYTES);
        BigEndian.put16(message, 2, InternetChecksum.finish(InternetChecksum.add(sum, message, 0, BYTES)));
        packet.put(at, message, 0, BYTES);
        output.ip(packet, 6, fromHigh, fromLow, toHigh, toLow, Protocol.ICMPV6, HOPS, BYTES);
        if (mac == NeighbourEntry.NO_MAC) {
            output.route(packet, 6, toHigh, toLow);
        } else {
            output.ethernet(packet, mac, EtherType.IPV6);
        }
    }
}
