package io.manafold.inet.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.inet.Route;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.packet.EtherType;
import io.manafold.packet.Headers;
import io.manafold.packet.InternetChecksum;

/**
 * The way out of a host: headers are put in front, the next station is found, and packets are gathered and sent in
 * bursts. On the device's thread.
 */
final class Output {
    static final int IPV4 = 20;
    static final int IPV6 = 40;
    static final int UDP = 8;
    private static final int BURST = 64;
    private static final int LOOPED = 64;
    private static final long BROADCAST = 0xffff_ffff_ffffL;

    /** Who asks for stations that are not known. */
    interface Asking {
        /** @param mac the host to ask, or {@link NeighbourEntry#NO_MAC} */
        void ask(int version, long high, long low, long mac);
    }

    private final NeighbourTable neighbours;
    private final Counters counters;
    private final PacketBuffer[] one = new PacketBuffer[1];
    private final PacketBuffer[] burst = new PacketBuffer[BURST];
    private final PacketBuffer[] looped = new PacketBuffer[LOOPED];
    private final byte[] head = new byte[Headers.ETHERNET + IPV6];
    private int count;
    private int loopedCount;
    private int identification;
    private Asking asking;
    private PacketPort port;
    private DeviceSnapshot facts;
    private Addressing addressing = Addressing.NONE;
    private long now;
    private int sent;

    Output(NeighbourTable neighbours, Counters counters) {
        this.neighbours = neighbours;
        this.counters = counters;
    }

    void asking(Asking who) {
        asking = who;
    }

    /** What holds during the cycle that follows. */
    void begin(PacketPort to, DeviceSnapshot device, Addressing host, long time) {
        port = to;
        facts = device;
        addressing = host;
        now = time;
    }

    DeviceSnapshot facts() {
        return facts;
    }

    Addressing addressing() {
        return addressing;
    }

    long now() {
        return now;
    }

    /** An empty packet of so many bytes, headers included; {@code null} if there is none. */
    PacketBuffer take(int bytes) {
        if (port.take(one, 0, 1) == 0) {
            return null;
        }
        PacketBuffer packet = one[0];
        one[0] = null;
        int headroom = packet.headroom();
        if (packet.capacity() - headroom < bytes) {
            packet.release();
            return null;
        }
        packet.place(headroom, bytes);
        return packet;
    }

    /**
     * Writes the IP header, whose place begins behind that of Ethernet's.
     *
     * @param payload bytes behind it
     */
    void ip(PacketBuffer packet, int version, long fromHigh, long fromLow, long toHigh, long toLow, int protocol,
            int ttl, int payload) {
        int at = Headers.ETHERNET;
        if (version == 4) {
            BigEndian.put16(head, at, 0x4500);
            BigEndian.put16(head, at + 2, IPV4 + payload);
            BigEndian.put16(head, at + 4, identification++);
            BigEndian.put16(head, at + 6, 0x4000);
            BigEndian.put16(head, at + 8, ttl << 8 | protocol);
            BigEndian.put16(head, at + 10, 0);
            BigEndian.put32(head, at + 12, (int) fromLow);
            BigEndian.put32(head, at + 16, (int) toLow);
            BigEndian.put16(head, at + 10, InternetChecksum.finish(InternetChecksum.add(0, head, at, IPV4)));
            packet.put(at, head, at, IPV4);
        } else {
            BigEndian.put32(head, at, 0x6000_0000);
            BigEndian.put16(head, at + 4, payload);
            BigEndian.put16(head, at + 6, protocol << 8 | ttl);
            BigEndian.put64(head, at + 8, fromHigh);
            BigEndian.put64(head, at + 16, fromLow);
            BigEndian.put64(head, at + 24, toHigh);
            BigEndian.put64(head, at + 32, toLow);
            packet.put(at, head, at, IPV6);
        }
    }

    static int transport(int version) {
        return Headers.ETHERNET + (version == 4 ? IPV4 : IPV6);
    }

    /** The sum of the pseudo header. */
    static long pseudoHeader(int version, long fromHigh, long fromLow, long toHigh, long toLow, int protocol,
            int length) {
        long sum = protocol + (long) length;
        if (version == 6) {
            sum += (fromHigh >>> 32) + (fromHigh & 0xffff_ffffL) + (toHigh >>> 32) + (toHigh & 0xffff_ffffL);
        }
        return sum + (fromLow >>> 32) + (fromLow & 0xffff_ffffL) + (toLow >>> 32) + (toLow & 0xffff_ffffL);
    }

    /** Sends a packet whose IP header is written, or has it wait for its neighbour; it is not the caller's any more. */
    void route(PacketBuffer packet, int version, long toHigh, long toLow) {
        counters.count(HostCounter.IP_SENT, version);
        if (addressing.isOwn(version, toHigh, toLow)) {
            loop(packet, version);
            return;
        }
        if (version == 4 && (toLow >>> 28 == 0xe || addressing.isBroadcast(toLow))) {
            long group = toLow >>> 28 == 0xe ? 0x0100_5e00_0000L | toLow & 0x7f_ffff : BROADCAST;
            ethernet(packet, group, EtherType.IPV4);
            return;
        }
        if (version == 6 && toHigh >>> 56 == 0xff) {
            ethernet(packet, 0x3333_0000_0000L | toLow & 0xffff_ffffL, EtherType.IPV6);
            return;
        }
        Route route = addressing.route(version, toHigh, toLow);
        if (route == null) {
            counters.count(HostCounter.IP_NO_ROUTE, version);
            packet.release();
            return;
        }
        IpAddress gateway = route.gateway();
        if (gateway == null) {
            toStation(packet, version, toHigh, toLow);
        } else {
            toStation(packet, version, gateway.high(), gateway.low());
        }
    }

    private void toStation(PacketBuffer packet, int version, long high, long low) {
        switch (neighbours.resolve(version, high, low, now, packet)) {
            case KNOWN -> ethernet(packet, neighbours.mac(), version == 4 ? EtherType.IPV4 : EtherType.IPV6);
            case ASK -> asking.ask(version, high, low, NeighbourEntry.NO_MAC);
            case ASK_ALONE -> {
                asking.ask(version, high, low, NeighbourEntry.NO_MAC);
                drop(packet, version);
            }
            case WAITS -> {
                // it goes out when the neighbour answers
            }
            case NO -> drop(packet, version);
        }
    }

    private void drop(PacketBuffer packet, int version) {
        counters.count(HostCounter.IP_NOT_SENT, version);
        packet.release();
    }

    /** Sends packets that have waited for a neighbour. */
    void release(PacketBuffer list, long mac) {
        PacketBuffer next = list;
        while (next != null) {
            PacketBuffer packet = next;
            next = packet.next();
            packet.next(null);
            int type = packet.get8(Headers.ETHERNET) >>> 4 == 4 ? EtherType.IPV4 : EtherType.IPV6;
            ethernet(packet, mac, type);
        }
    }

    void ethernet(PacketBuffer packet, long to, int type) {
        BigEndian.put48(head, 0, to);
        BigEndian.put48(head, 6, facts.mac());
        BigEndian.put16(head, 12, type);
        packet.put(0, head, 0, Headers.ETHERNET);
        burst[count++] = packet;
        if (count == BURST) {
            flush();
        }
    }

    private void loop(PacketBuffer packet, int version) {
        if (loopedCount == LOOPED) {
            drop(packet, version);
            return;
        }
        BigEndian.put48(head, 0, facts.mac());
        BigEndian.put48(head, 6, facts.mac());
        BigEndian.put16(head, 12, version == 4 ? EtherType.IPV4 : EtherType.IPV6);
        packet.put(0, head, 0, Headers.ETHERNET);
        looped[loopedCount++] = packet;
    }

    /** What the host has sent to itself, one at a time; {@code null} if there is no more. */
    PacketBuffer takeLooped() {
        if (loopedCount == 0) {
            return null;
        }
        PacketBuffer first = looped[0];
        System.arraycopy(looped, 1, looped, 0, --loopedCount);
        looped[loopedCount] = null;
        return first;
    }

    /** Hands over what was gathered. */
    void flush() {
        if (count == 0) {
            return;
        }
        int accepted = port.send(burst, 0, count);
        for (int i = accepted; i < count; i++) {
            counters.count(HostCounter.IP_NOT_SENT);
            burst[i].release();
        }
        for (int i = 0; i < count; i++) {
            burst[i] = null;
        }
        sent += accepted;
        count = 0;
    }

    /** How many were sent since this was last asked. */
    int takeSent() {
        int number = sent;
        sent = 0;
        return number;
    }

    /** The device is gone: what was not sent is given back. */
    void drop() {
        for (int i = 0; i < count; i++) {
            burst[i].release();
            burst[i] = null;
        }
        count = 0;
        for (PacketBuffer packet = takeLooped(); packet != null; packet = takeLooped()) {
            packet.release();
        }
    }
}
