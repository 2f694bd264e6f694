package io.manafold.itests.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.memory.PacketFlags;
import io.manafold.memory.PacketPool;
import io.manafold.memory.RawMemory;

/** Frames in the packets of a pool, from one station of the lab of poll mode to the other. */
public final class PollFrames {
    public static final int LENGTH = 200;
    public static final long RIGHT_MAC = 0x000d3a300002L;
    private static final long LEFT_MAC = 0x000d3a300001L;

    private final PacketPool pool;

    public PollFrames(PacketPool pool) {
        this.pool = pool;
    }

    /** Fills a packet with a frame that has a number. */
    public void fill(int packet, long number) {
        pool.first(packet, PacketPool.first(PacketPool.HEADROOM, LENGTH, 0));
        pool.second(packet, PacketPool.SINGLE);
        long data = pool.data(packet);
        RawMemory.putBig64(data, RIGHT_MAC << 16 | LEFT_MAC >>> 32);
        RawMemory.putBig32(data + 8, (int) LEFT_MAC);
        RawMemory.putBig16(data + 12, 0x88b5);
        for (int i = 14; i + 8 <= LENGTH; i += 8) {
            RawMemory.put64(data + i, number * 31 + i);
        }
    }

    /** Which number a packet has; -1 if not all of it belongs to one. */
    public long number(int packet) {
        assertThat(PacketPool.length(pool.first(packet))).isEqualTo(LENGTH);
        assertThat(pool.second(packet)).isEqualTo(PacketPool.SINGLE);
        long data = pool.data(packet);
        long number = (RawMemory.get64(data + 14) - 14) / 31;
        for (int i = 14; i + 8 <= LENGTH; i += 8) {
            if (RawMemory.get64(data + i) != number * 31 + i) {
                return -1;
            }
        }
        return number;
    }

    /** A datagram of a flow, without checksums. */
    public void datagram(int packet, int sourcePort) {
        pool.first(packet, PacketPool.first(PacketPool.HEADROOM, LENGTH, 0));
        pool.second(packet, PacketPool.SINGLE);
        long data = pool.data(packet);
        RawMemory.clear(data, LENGTH);
        RawMemory.putBig64(data, RIGHT_MAC << 16 | LEFT_MAC >>> 32);
        RawMemory.putBig32(data + 8, (int) LEFT_MAC);
        RawMemory.putBig16(data + 12, 0x0800);
        RawMemory.putBig16(data + 14, 0x4500);
        RawMemory.putBig16(data + 16, LENGTH - 14);
        RawMemory.putBig16(data + 22, 0x4011);
        RawMemory.putBig32(data + 26, 0x0a4d_0001);
        RawMemory.putBig32(data + 30, 0x0a4d_0002);
        RawMemory.putBig16(data + 34, sourcePort);
        RawMemory.putBig16(data + 36, 4000);
        RawMemory.putBig16(data + 38, LENGTH - 34);
        for (int i = 42; i < LENGTH; i++) {
            RawMemory.put8(data + i, i * 7 + sourcePort);
        }
    }

    /** A datagram in three segments, with its checksums and a tag to be put in. */
    public int chain(int tag) {
        int[] parts = new int[3];
        assertThat(pool.take(parts, 0, 3)).isTrue();
        datagram(parts[0], 77);
        int second = 60;
        int third = LENGTH - 50 - second;
        pool.first(parts[1], PacketPool.first(PacketPool.HEADROOM, second, 0));
        pool.second(parts[1], PacketPool.SINGLE);
        pool.first(parts[2], PacketPool.first(PacketPool.HEADROOM + 8, third, 0));
        pool.second(parts[2], PacketPool.SINGLE);
        RawMemory.copy(pool.data(parts[0]) + 50, pool.data(parts[1]), second);
        RawMemory.copy(pool.data(parts[0]) + 50 + second, pool.data(parts[2]), third);
        pool.next(parts[0], parts[1]);
        pool.next(parts[1], parts[2]);
        pool.first(parts[0], PacketPool.first(PacketPool.HEADROOM, 50, PacketFlags.INSERT_TAG | PacketFlags.IPV4
                | PacketFlags.IP_CHECKSUM | PacketFlags.UDP_CHECKSUM));
        pool.second(parts[0], (long) tag << 32 | 3L << 48 | 1L << 56);
        return parts[0];
    }

    /** Sums as a receiver does, which is told nothing. */
    public static void check(long data, int length) {
        assertThat(length).isEqualTo(LENGTH);
        assertThat(sum(data + 14, 20, 0)).as("sum of the IP header").isEqualTo(0xffff);
        int pseudo = sum(data + 26, 8, 17 + LENGTH - 34);
        assertThat(sum(data + 34, LENGTH - 34, pseudo)).as("sum of the datagram").isEqualTo(0xffff);
        for (int i = 42; i < LENGTH; i++) {
            assertThat(RawMemory.get8(data + i)).isEqualTo(i * 7 + 77 & 0xff);
        }
    }

    private static int sum(long from, int bytes, int begin) {
        int sum = begin;
        for (int i = 0; i < bytes; i += 2) {
            sum += RawMemory.getBig16(from + i);
        }
        while (sum >>> 16 != 0) {
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return sum;
    }
}
