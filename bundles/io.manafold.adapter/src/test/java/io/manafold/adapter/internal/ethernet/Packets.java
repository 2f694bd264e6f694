package io.manafold.adapter.internal.ethernet;

import java.util.Random;

/** Frames for tests, and sums computed the slow way, by the definition. */
final class Packets {
    static final int TCP = 6;
    static final int UDP = 17;

    private Packets() {
    }

    /** Ethernet, IP, TCP or UDP, with all checksums right and a random payload. */
    static byte[] ip(int version, int protocol, long destination, int payload, long seed) {
        Random random = new Random(seed);
        int network = version == 4 ? 20 : 40;
        int transport = protocol == TCP ? 32 : 8;
        byte[] frame = new byte[14 + network + transport + payload];
        random.nextBytes(frame);
        for (int i = 0; i < 6; i++) {
            frame[i] = (byte) (destination >>> 40 - 8 * i);
        }
        frame[6] = 2;
        put16(frame, 12, version == 4 ? 0x0800 : 0x86dd);
        int at = 14 + network;
        if (version == 4) {
            frame[14] = 0x45;
            put16(frame, 16, network + transport + payload);
            put16(frame, 20, 0x4000);
            frame[23] = (byte) protocol;
            fixIp(frame);
        } else {
            frame[14] = 0x60;
            put16(frame, 18, transport + payload);
            frame[20] = (byte) protocol;
        }
        if (protocol == TCP) {
            frame[at + 12] = (byte) 0x80;
            frame[at + 13] = 0x19;
        } else {
            put16(frame, at + 4, transport + payload);
        }
        fixTransport(frame);
        return frame;
    }

    static void fixIp(byte[] frame) {
        put16(frame, 24, 0);
        put16(frame, 24, ~sum(frame, 14, (frame[14] & 0xf) * 4, 0) & 0xffff);
    }

    static void fixTransport(byte[] frame) {
        int field = checksumField(frame);
        put16(frame, field, 0);
        int checksum = ~transportSum(frame) & 0xffff;
        put16(frame, field, checksum == 0 && protocol(frame) == UDP ? 0xffff : checksum);
    }

    static boolean isTransportGood(byte[] frame) {
        return transportSum(frame) == 0xffff;
    }

    static boolean isIpGood(byte[] frame) {
        return sum(frame, 14, (frame[14] & 0xf) * 4, 0) == 0xffff;
    }

    static int network(byte[] frame) {
        return u16(frame, 12) == 0x8100 ? 18 : 14;
    }

    static int protocol(byte[] frame) {
        int at = network(frame);
        return frame[at] >>> 4 == 4 ? frame[at + 9] : frame[at + 6];
    }

    static int transport(byte[] frame) {
        int at = network(frame);
        return at + (frame[at] >>> 4 == 4 ? (frame[at] & 0xf) * 4 : 40);
    }

    static int checksumField(byte[] frame) {
        return transport(frame) + (protocol(frame) == TCP ? 16 : 6);
    }

    private static int transportSum(byte[] frame) {
        int at = network(frame);
        int transport = transport(frame);
        boolean v4 = frame[at] >>> 4 == 4;
        int length = v4 ? u16(frame, at + 2) - (transport - at) : u16(frame, at + 4);
        int pseudo = sum(frame, at + (v4 ? 12 : 8), v4 ? 8 : 32, protocol(frame) + length);
        return sum(frame, transport, length, pseudo);
    }

    private static int sum(byte[] bytes, int from, int length, int start) {
        int sum = start;
        for (int i = 0; i < length; i++) {
            sum += (i & 1) == 0 ? (bytes[from + i] & 0xff) << 8 : bytes[from + i] & 0xff;
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return sum;
    }

    static int u16(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }

    static int u32(byte[] bytes, int at) {
        return u16(bytes, at) << 16 | u16(bytes, at + 2);
    }

    static void put16(byte[] bytes, int at, int value) {
        bytes[at] = (byte) (value >>> 8);
        bytes[at + 1] = (byte) value;
    }

    static void put32(byte[] bytes, int at, int value) {
        put16(bytes, at, value >>> 16);
        put16(bytes, at + 2, value);
    }
}
