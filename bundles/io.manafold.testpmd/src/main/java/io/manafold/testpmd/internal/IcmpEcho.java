package io.manafold.testpmd.internal;

import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;
import io.manafold.packet.EtherType;
import io.manafold.packet.Protocol;

/**
 * Answers requests of ARP, whatever address they ask for, and of ICMP echo unless they are to a group; lets the rest
 * go.
 */
final class IcmpEcho extends ForwardStream {
    private static final int ARP = 28;
    private static final int IPV4 = 20;
    private static final int ECHO = 8;

    private final long mac;
    private final int[] answers;
    private final int[] others;

    IcmpEcho(Route route) {
        super(route);
        mac = route.to().info().mac().value();
        answers = new int[burst];
        others = new int[burst];
    }

    @Override
    public int turn() {
        int count = receive();
        if (count == 0) {
            return 0;
        }
        // at a secondary packets that came are of its primary's pool
        PacketPool came = PacketPool.of(packets[0]);
        int answered = 0;
        int dropped = 0;
        for (int i = 0; i < count; i++) {
            int packet = packets[i];
            if (answer(came.data(packet), PacketPool.length(came.first(packet)))) {
                answers[answered++] = packet;
            } else {
                others[dropped++] = packet;
            }
        }
        if (dropped > 0) {
            PacketPool.release(others, 0, dropped);
        }
        if (answered > 0) {
            send(answers, 0, answered);
        }
        return count;
    }

    private boolean answer(long frame, int length) {
        int network = Addresses.network(frame, length);
        if (network > length) {
            return false;
        }
        int type = RawMemory.getBig16(frame + network - 2);
        if (type == EtherType.ARP) {
            return arp(frame, frame + network, length - network);
        }
        return type == EtherType.IPV4 && echo(frame, frame + network, length - network);
    }

    private boolean arp(long frame, long at, int left) {
        // Ethernet, IPv4, lengths 6 and 4, a request
        if (left < ARP || RawMemory.getBig64(at) != 0x0001_0800_0604_0001L) {
            return false;
        }
        long asker = RawMemory.getBig64(at + 8) >>> 16;
        int askerIp = RawMemory.getBig32(at + 14);
        int asked = RawMemory.getBig32(at + 24);
        RawMemory.putBig16(at + 6, 2);
        mac(at + 8, mac);
        RawMemory.putBig32(at + 14, asked);
        mac(at + 18, asker);
        RawMemory.putBig32(at + 24, askerIp);
        mac(frame, asker);
        mac(frame + 6, mac);
        return true;
    }

    private static void mac(long at, long address) {
        RawMemory.putBig16(at, (int) (address >>> 32));
        RawMemory.putBig32(at + 2, (int) address);
    }

    private boolean echo(long frame, long at, int left) {
        int header = (RawMemory.get8(at) & 0xf) * 4;
        if (left < IPV4 || RawMemory.get8(at) >>> 4 != 4 || header < IPV4 || left < header + ECHO
                || RawMemory.get8(at + 9) != Protocol.ICMP || (RawMemory.getBig16(at + 6) & 0x3fff) != 0
                || RawMemory.getBig16(at + header) != ECHO << 8 || RawMemory.get8(at + 16) >>> 4 == 0xe) {
            return false;
        }
        long asker = RawMemory.getBig64(frame + 6) >>> 16;
        mac(frame, asker);
        mac(frame + 6, mac);
        int source = RawMemory.get32(at + 12);
        int destination = RawMemory.get32(at + 16);
        RawMemory.put32(at + 12, destination);
        RawMemory.put32(at + 16, source);
        RawMemory.put8(at + header, 0);
        int sum = RawMemory.getBig16(at + header + 2) + (ECHO << 8);
        RawMemory.putBig16(at + header + 2, (sum & 0xffff) + (sum >>> 16));
        return true;
    }
}
