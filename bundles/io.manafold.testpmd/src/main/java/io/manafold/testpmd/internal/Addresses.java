package io.manafold.testpmd.internal;

import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;
import io.manafold.packet.EtherType;
import io.manafold.packet.Headers;
import io.manafold.packet.Protocol;

/**
 * Writes addresses into packets where they lie. A burst has packets of one pool, that of the queue which they came by:
 * at a secondary this is the pool of its primary.
 */
final class Addresses {
    private static final long SIX = 0xffff_ffff_ffffL;
    private static final int IPV4 = 20;
    private static final int IPV6 = 40;

    private Addresses() {
    }

    /** The first eight bytes of a frame from the port that is sent from to its peer. */
    static long first(Route route) {
        return little(route.settings().peer(route.to()).value()) | little(route.to().info().mac()
                .value()) << 48;
    }

    /** The four bytes that follow. */
    static int rest(Route route) {
        return (int) (little(route.to().info().mac().value()) >>> 16);
    }

    private static long little(long address) {
        return Long.reverseBytes(address << 16) & SIX;
    }

    static void set(int[] packets, int from, int count, long both, int rest) {
        PacketPool pool = PacketPool.of(packets[from]);
        for (int i = from; i < from + count; i++) {
            long at = pool.data(packets[i]);
            RawMemory.put64(at, both);
            RawMemory.put32(at + 8, rest);
        }
    }

    static void swap(int[] packets, int from, int count) {
        PacketPool pool = PacketPool.of(packets[from]);
        for (int i = from; i < from + count; i++) {
            swap(pool.data(packets[i]));
        }
    }

    static void swap(long at) {
        long first = RawMemory.get64(at);
        long second = RawMemory.get32(at + 8) & 0xffff_ffffL;
        long destination = first & SIX;
        RawMemory.put64(at, first >>> 48 | second << 16 | destination << 48);
        RawMemory.put32(at + 8, (int) (destination >>> 16));
    }

    static void swapAll(int[] packets, int from, int count) {
        PacketPool pool = PacketPool.of(packets[from]);
        for (int i = from; i < from + count; i++) {
            long at = pool.data(packets[i]);
            swap(at);
            swapIp(at, PacketPool.length(pool.first(packets[i])));
        }
    }

    private static void swapIp(long frame, int length) {
        int network = network(frame, length);
        int type = network > length ? 0 : RawMemory.getBig16(frame + network - 2);
        long at = frame + network;
        if (type == EtherType.IPV4 && network + IPV4 <= length) {
            int source = RawMemory.get32(at + 12);
            RawMemory.put32(at + 12, RawMemory.get32(at + 16));
            RawMemory.put32(at + 16, source);
            int header = (RawMemory.get8(at) & 0xf) * 4;
            boolean first = (RawMemory.getBig16(at + 6) & 0x1fff) == 0;
            if (header >= IPV4 && first) {
                swapPorts(at + header, RawMemory.get8(at + 9), length - network - header);
            }
        } else if (type == EtherType.IPV6 && network + IPV6 <= length) {
            for (int word = 0; word < 16; word += 8) {
                long source = RawMemory.get64(at + 8 + word);
                RawMemory.put64(at + 8 + word, RawMemory.get64(at + 24 + word));
                RawMemory.put64(at + 24 + word, source);
            }
            swapPorts(at + IPV6, RawMemory.get8(at + 6), length - network - IPV6);
        }
    }

    private static void swapPorts(long at, int protocol, int left) {
        if ((protocol == Protocol.TCP || protocol == Protocol.UDP) && left >= 4) {
            RawMemory.put32(at, Integer.rotateLeft(RawMemory.get32(at), 16));
        }
    }

    /** Where what follows the tags begins. */
    static int network(long frame, int length) {
        int at = Headers.ETHERNET;
        for (int tags = 0; tags < 2 && at + Headers.TAG <= length
                && EtherType.isTag(RawMemory.getBig16(frame + at - 2)); tags++) {
            at += Headers.TAG;
        }
        return at;
    }
}
