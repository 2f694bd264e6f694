package io.manafold.testpmd.internal;

import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;
import io.manafold.packet.InternetChecksum;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.IntStream;

/** Packets of UDP over IPv4 that are written from a template. */
final class MadeFrames {
    static final int NETWORK = 14;
    static final int TRANSPORT = 34;
    static final int PAYLOAD = 42;
    /** As much of a packet as is written a word at a time; its end is payload, which is zero. */
    private static final int TEMPLATE = 48;
    /** Where the second word has how many segments a packet has. */
    private static final int SEGMENTS = 48;
    private static final int TTL = 64;
    private static final int UDP = 17;

    private final byte[] template = new byte[TEMPLATE];
    /** The template as it lies in memory. */
    private final long[] head = new long[TEMPLATE / Long.BYTES];
    private final long word;
    private final long second;
    /** The first words of segments after the first. */
    private final long[] more;
    private final PacketPool pool;

    MadeFrames(Route route) {
        this(route, route.settings().segments);
    }

    /** @param segments lengths */
    MadeFrames(Route route, int... segments) {
        Settings settings = route.settings();
        pool = route.pool();
        int size = IntStream.of(segments).sum();
        mac(0, settings.peer(route.to()).value());
        mac(6, route.to().info().mac().value());
        put16(12, 0x0800);
        template[NETWORK] = 0x45;
        put16(NETWORK + 2, size - NETWORK);
        template[NETWORK + 8] = TTL;
        template[NETWORK + 9] = UDP;
        put32(NETWORK + 12, settings.sourceAddress);
        put32(NETWORK + 16, settings.destinationAddress);
        put16(NETWORK + 10, InternetChecksum.finish(InternetChecksum.add(0, template, NETWORK, TRANSPORT - NETWORK)));
        put16(TRANSPORT, settings.sourcePort);
        put16(TRANSPORT + 2, settings.destinationPort);
        put16(TRANSPORT + 4, size - TRANSPORT);
        ByteBuffer.wrap(template).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(head);
        int tag = SendTag.of(route);
        word = PacketPool.first(PacketPool.HEADROOM, segments[0], SendTag.flags(tag));
        second = PacketPool.SINGLE + (segments.length - 1L << SEGMENTS) + SendTag.second(tag);
        more = IntStream.of(segments).skip(1).mapToLong(length -> PacketPool.first(PacketPool.HEADROOM, length, 0))
                .toArray();
    }

    /** Puts segments that were taken behind a packet that was written. */
    void append(int packet, int[] from, int at) {
        int last = packet;
        for (int i = 0; i < more.length; i++) {
            int segment = from[at + i];
            pool.next(last, segment);
            pool.first(segment, more[i]);
            pool.second(segment, PacketPool.SINGLE);
            RawMemory.clear(pool.data(segment), PacketPool.length(more[i]));
            last = segment;
        }
    }

    private void mac(int at, long address) {
        put16(at, (int) (address >>> 32));
        put32(at + 2, (int) address);
    }

    private void put16(int at, int value) {
        template[at] = (byte) (value >>> 8);
        template[at + 1] = (byte) value;
    }

    private void put32(int at, int value) {
        put16(at, value >>> 16);
        put16(at + 2, value);
    }

    /** Makes a packet that was taken one of these, and answers where its bytes are. */
    long write(int packet) {
        pool.first(packet, word);
        pool.second(packet, second);
        long at = pool.data(packet);
        for (int i = 0; i < head.length; i++) {
            RawMemory.put64(at + (long) Long.BYTES * i, head[i]);
        }
        RawMemory.clear(at + TEMPLATE, PacketPool.length(word) - TEMPLATE);
        return at;
    }
}
