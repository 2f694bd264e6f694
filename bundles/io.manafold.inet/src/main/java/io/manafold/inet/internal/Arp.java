package io.manafold.inet.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.Route;
import io.manafold.api.net.PacketBuffer;
import io.manafold.packet.EtherType;
import io.manafold.packet.Headers;

/** Who has which IPv4 address: asks, answers, and listens to answers. On the device's thread. */
final class Arp {
    private static final int BYTES = Headers.ETHERNET + 28;
    private static final int REQUEST = 1;
    private static final int REPLY = 2;
    private static final long BROADCAST = 0xffff_ffff_ffffL;

    private final Output output;
    private final NeighbourTable neighbours;
    private final Counters counters;
    private final byte[] message = new byte[BYTES];

    Arp(Output output, NeighbourTable neighbours, Counters counters) {
        this.output = output;
        this.neighbours = neighbours;
        this.counters = counters;
    }

    void receive(Frame frame) {
        byte[] bytes = frame.bytes;
        int at = Headers.ETHERNET + frame.headers.tags() * Headers.TAG;
        if (frame.length < at + 28 || BigEndian.get32(bytes, at) != 0x0001_0800
                || BigEndian.get16(bytes, at + 4) != 0x0604) {
            counters.count(HostCounter.ARP_BROKEN);
            return;
        }
        int operation = BigEndian.get16(bytes, at + 6);
        long mac = BigEndian.get48(bytes, at + 8);
        long from = BigEndian.get32(bytes, at + 14) & 0xffff_ffffL;
        long target = BigEndian.get32(bytes, at + 24) & 0xffff_ffffL;
        boolean station = mac != 0 && (mac >>> 40 & 1) == 0;
        if (!station || mac != frame.fromMac || operation != REQUEST && operation != REPLY) {
            counters.count(HostCounter.ARP_BROKEN);
            return;
        }
        counters.count(operation == REQUEST ? HostCounter.ARP_REQUESTS_IN : HostCounter.ARP_REPLIES_IN);
        Addressing own = output.addressing();
        if (from != 0 && own.isOwn(4, 0, from)) {
            counters.count(HostCounter.ADDRESS_CONFLICTS);
            return;
        }
        boolean forUs = own.isOwn(4, 0, target);
        boolean neighbour = from != 0 && own.isOnLink(4, 0, from) && !own.isBroadcast(from);
        if (operation == REQUEST && forUs) {
            if (neighbour) {
                output.release(neighbours.heardQuestion(4, 0, from, mac, output.now()), mac);
            }
            send(REPLY, target, mac, from, mac);
            counters.count(HostCounter.ARP_REPLIES_OUT);
        } else if (neighbour) {
            boolean asked = operation == REPLY && forUs;
            output.release(neighbours.heardAnswer(4, 0, from, mac, asked, false, output.now()), mac);
            if (neighbours.ignored() && operation == REPLY) {
                counters.count(HostCounter.NEIGHBOUR_IGNORED);
            }
        }
    }

    /** @param mac the host to ask, or none: all hosts */
    void ask(long low, long mac) {
        Route route = output.addressing().route(4, 0, low);
        IpAddress source = route == null ? null : output.addressing().source(route, IpAddress.ipv4((int) low));
        if (source != null) {
            send(REQUEST, source.low(), 0, low, mac == NeighbourEntry.NO_MAC ? BROADCAST : mac);
            counters.count(HostCounter.ARP_REQUESTS_OUT);
        }
    }

    /** Tells all hosts where an address of ours is. */
    void announce(long low) {
        send(REQUEST, low, 0, low, BROADCAST);
        counters.count(HostCounter.ARP_REQUESTS_OUT);
    }

    private void send(int operation, long from, long targetMac, long target, long to) {
        PacketBuffer packet = output.take(BYTES);
        if (packet == null) {
            return;
        }
        int at = Headers.ETHERNET;
        BigEndian.put32(message, at, 0x0001_0800);
        BigEndian.put16(message, at + 4, 0x0604);
        BigEndian.put16(message, at + 6, operation);
        BigEndian.put48(message, at + 8, output.facts().mac());
        BigEndian.put32(message, at + 14, (int) from);
        BigEndian.put48(message, at + 18, targetMac);
        BigEndian.put32(message, at + 24, (int) target);
        packet.put(at, message, at, BYTES - at);
        output.ethernet(packet, to, EtherType.ARP);
    }
}
