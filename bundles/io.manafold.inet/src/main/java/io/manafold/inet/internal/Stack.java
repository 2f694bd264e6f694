package io.manafold.inet.internal;

import io.manafold.api.inet.IpAddress;
import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;
import io.manafold.packet.EtherType;
import io.manafold.packet.Protocol;

/**
 * The protocols of a host, on the thread of whichever device is there. A packet that comes in is looked at in a copy,
 * and either goes out again changed or is given back.
 */
final class Stack implements PacketHandler {
    private static final int LOOPS = 64;
    private static final int OUTBOX = 64;

    private final Node node;
    private final Clock clock;
    private final Counters counters;
    private final NeighbourTable neighbours;
    private final Output output;
    private final Arp arp;
    private final NeighbourDiscovery discovery;
    private final Icmp icmp;
    private final Udp udp;
    private final Frame frame = new Frame();
    private Addressing announced = Addressing.NONE;
    private PacketPort announcedTo;
    private boolean atWork;

    Stack(Node node, Clock clock, Counters counters, NeighbourTable neighbours) {
        this.node = node;
        this.clock = clock;
        this.counters = counters;
        this.neighbours = neighbours;
        output = new Output(neighbours, counters);
        arp = new Arp(output, neighbours, counters);
        discovery = new NeighbourDiscovery(output, neighbours, counters);
        icmp = new Icmp(output, discovery, counters);
        udp = new Udp(output, icmp, counters);
        output.asking(this::ask);
    }

    private void ask(int version, long high, long low, long mac) {
        if (version == 4) {
            arp.ask(low, mac);
        } else {
            discovery.ask(high, low, mac);
        }
    }

    private void begin(PacketPort port) {
        output.begin(port, node.facts(), node.addressing(), clock.now());
        icmp.begin(node.runs());
        udp.begin(node.ports());
        atWork = true;
    }

    private void end() {
        atWork = false;
        output.flush();
    }

    /** Whether datagrams can be sent at once, if the caller is the device's thread. */
    boolean isAtWork() {
        return atWork;
    }

    boolean sendNow(UdpPort from, byte[] data, int offset, int length, IpAddress to, int toPort) {
        return udp.send(from, data, offset, length, to, toPort);
    }

    @Override
    public void receive(PacketPort port, PacketBuffer[] packets, int count) {
        begin(port);
        try {
            for (int i = 0; i < count; i++) {
                PacketBuffer packet = packets[i];
                // it goes on or home from there, however that ends
                packets[i] = null;
                take(packet, false);
            }
        } finally {
            for (int i = 0; i < count; i++) {
                if (packets[i] != null) {
                    packets[i].release();
                    packets[i] = null;
                }
            }
            end();
        }
    }

    private void take(PacketBuffer packet, boolean own) {
        boolean kept = false;
        try {
            kept = accept(packet, own);
        } finally {
            if (!kept) {
                packet.release();
            }
        }
    }

    /** True if the packet has gone on. */
    private boolean accept(PacketBuffer packet, boolean own) {
        if (!frame.load(packet, own)) {
            counters.count(HostCounter.FRAMES_BROKEN);
            return false;
        }
        boolean group = (frame.toMac >>> 40 & 1) != 0;
        if (!group && frame.toMac != output.facts().mac() || frame.headers.tags() > 0
                || frame.has(PacketBuffer.TAGGED) && (packet.tag() & 0xfff) != 0) {
            counters.count(HostCounter.FRAMES_FOR_OTHERS);
            return false;
        }
        switch (frame.headers.etherType()) {
            case EtherType.ARP -> {
                arp.receive(frame);
                return false;
            }
            case EtherType.IPV4, EtherType.IPV6 -> {
                return ip();
            }
            default -> {
                counters.count(HostCounter.FRAMES_UNKNOWN);
                return false;
            }
        }
    }

    private boolean ip() {
        int version = frame.headers.etherType() == EtherType.IPV4 ? 4 : 6;
        counters.count(HostCounter.IP_RECEIVED, version);
        if (frame.headers.isBroken() || frame.version != version
                || version == 4 && !frame.isIpChecksumGood()) {
            counters.count(HostCounter.IP_BROKEN, version);
            return false;
        }
        if (!isSenderPossible() || !isForUs()) {
            counters.count(HostCounter.IP_NOT_OURS, version);
            return false;
        }
        if (frame.headers.isFragment()) {
            counters.count(HostCounter.IP_FRAGMENTS, version);
            return false;
        }
        if (frame.headers.transport() < 0) {
            counters.count(HostCounter.IP_BROKEN, version);
            return false;
        }
        int protocol = frame.headers.protocol();
        if (protocol == (version == 4 ? Protocol.ICMP : Protocol.ICMPV6)) {
            counters.count(HostCounter.IP_DELIVERED, version);
            return icmp.receive(frame);
        }
        if (protocol == Protocol.UDP) {
            counters.count(HostCounter.IP_DELIVERED, version);
            udp.receive(frame);
            return false;
        }
        counters.count(HostCounter.IP_UNKNOWN, version);
        if (protocol != Protocol.NOTHING) {
            icmp.protocolUnreachable(frame);
        }
        return false;
    }

    /** No host sends from a group; only one that has no address yet sends from none; and no other host from ours. */
    private boolean isSenderPossible() {
        if (frame.own) {
            return true;
        }
        boolean unspecified = frame.fromHigh == 0 && frame.fromLow == 0;
        if (unspecified) {
            return frame.version == 6 || node.givesAddresses() && frame.headers.protocol() == Protocol.UDP
                    && frame.toLow == 0xffff_ffffL;
        }
        Addressing host = output.addressing();
        return frame.isFromStation() && !(frame.version == 4 && host.isBroadcast(frame.fromLow))
                && !(host.isOwn(frame.version, frame.fromHigh, frame.fromLow)
                        && frame.headers.protocol() != Protocol.ICMPV6);
    }

    private boolean isForUs() {
        Addressing host = output.addressing();
        if (host.isOwn(frame.version, frame.toHigh, frame.toLow)) {
            return true;
        }
        if (frame.version == 4) {
            return frame.toLow == 0xe000_0001L || host.isBroadcast(frame.toLow);
        }
        return host.isMember(frame.toHigh, frame.toLow);
    }

    /** A cycle: what is due, and what others have handed over. */
    @Override
    public int doWork(PacketPort port) {
        begin(port);
        int done = 0;
        try {
            done += neighbours();
            for (EchoRun run : node.runs()) {
                done += run.tick(icmp, output.now());
            }
            Outbox outbox = node.outbox();
            for (int i = 0; i < OUTBOX; i++) {
                Outbox.Slot slot = outbox.first();
                if (slot == null) {
                    break;
                }
                udp.send(slot.from, slot.data, 0, slot.length, slot.to, slot.toPort);
                outbox.next();
                done++;
            }
            announce(port);
            for (int i = 0; i < LOOPS; i++) {
                PacketBuffer looped = output.takeLooped();
                if (looped == null) {
                    break;
                }
                take(looped, true);
                done++;
            }
        } finally {
            end();
        }
        return done;
    }

    private int neighbours() {
        if (neighbours.wasFull()) {
            counters.count(HostCounter.NEIGHBOUR_FULL);
        }
        if (output.now() < neighbours.due()) {
            return 0;
        }
        neighbours.tick(output.now());
        int questions = neighbours.questions();
        for (int i = 0; i < questions; i++) {
            NeighbourTable.Question question = neighbours.question(i);
            ask(question.version, question.high, question.low, question.mac);
        }
        PacketBuffer next = neighbours.dropped();
        while (next != null) {
            PacketBuffer packet = next;
            next = packet.next();
            packet.next(null);
            counters.count(HostCounter.NEIGHBOUR_FAILED);
            icmp.unreached(packet);
            packet.release();
        }
        return questions;
    }

    /** Others may remember another MAC address for an address that is new here. */
    private void announce(PacketPort port) {
        Addressing now = output.addressing();
        if (now == announced && port == announcedTo) {
            return;
        }
        Addressing before = port == announcedTo ? announced : Addressing.NONE;
        announced = now;
        announcedTo = port;
        for (int i = 0; i < now.addresses().size(); i++) {
            IpAddress own = now.addresses().get(i).prefix().address();
            if (own.isLoopback() || before.isOwn(own.version(), own.high(), own.low())) {
                continue;
            }
            if (own.isIpv4()) {
                arp.announce(own.low());
            } else {
                discovery.announce(own.high(), own.low());
            }
        }
    }

    /** How long the device's thread may rest. */
    @Override
    public long restNanos() {
        long now = clock.now();
        long due = neighbours.due();
        for (EchoRun run : node.runs()) {
            due = Math.min(due, run.due());
        }
        if (!node.outbox().isEmpty() || node.addressing() != announced) {
            return 0;
        }
        return due == NeighbourTable.NEVER ? NeighbourTable.NEVER : Math.max(0, due - now);
    }

    /** The device has gone. */
    @Override
    public void drop() {
        output.drop();
        Outbox outbox = node.outbox();
        while (!outbox.isEmpty()) {
            outbox.next();
        }
    }

    /** Packets of one address's neighbour, linked, that wait no longer. */
    static void releaseAll(PacketBuffer list) {
        PacketBuffer next = list;
        while (next != null) {
            PacketBuffer packet = next;
            next = packet.next();
            packet.next(null);
            packet.release();
        }
    }
}
