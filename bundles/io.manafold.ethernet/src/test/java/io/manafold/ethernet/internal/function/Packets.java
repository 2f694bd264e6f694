package io.manafold.ethernet.internal.function;

import io.manafold.api.net.NetDevice;
import io.manafold.packet.InternetChecksum;
import java.util.Random;

/** IP frames for tests, and whether their sums are right. */
final class Packets {
    static final int TCP = 6;
    static final int UDP = 17;

    private Packets() {
    }

    /** Ethernet, IP, TCP or UDP with right lengths, a random payload and nothing in the checksums. */
    static byte[] ip(int version, int protocol, NetDevice from, NetDevice to, int payload, int seed) {
        Random random = new Random(seed);
        int network = version == 4 ? 20 : 40;
        int transport = protocol == TCP ? 32 : 8;
        byte[] frame = new byte[14 + network + transport + payload];
        random.nextBytes(frame);
        for (int i = 0; i < 6; i++) {
            frame[i] = (byte) (to.mac().value() >>> 40 - 8 * i);
            frame[6 + i] = (byte) (from.mac().value() >>> 40 - 8 * i);
        }
        put16(frame, 12, version == 4 ? 0x0800 : 0x86dd);
        int at = 14 + network;
        if (version == 4) {
            frame[14] = 0x45;
            put16(frame, 16, network + transport + payload);
            put16(frame, 20, 0x4000);
            frame[23] = (byte) protocol;
            put16(frame, 24, 0);
        } else {
            frame[14] = 0x60;
            put16(frame, 18, transport + payload);
            frame[20] = (byte) protocol;
        }
        if (protocol == TCP) {
            frame[at + 12] = (byte) 0x80;
            frame[at + 13] = 0x18;
            put16(frame, at + 16, 0);
        } else {
            put16(frame, at + 4, transport + payload);
            put16(frame, at + 6, 0);
        }
        return frame;
    }

    static int transport(byte[] frame) {
        return frame[14] >>> 4 == 4 ? 14 + (frame[14] & 0xf) * 4 : 54;
    }

    static boolean isIpGood(byte[] frame) {
        return InternetChecksum.isGood(InternetChecksum.add(0, frame, 14, 20));
    }

    static boolean isTransportGood(byte[] frame) {
        boolean v4 = frame[14] >>> 4 == 4;
        int transport = transport(frame);
        int length = v4 ? u16(frame, 16) - (transport - 14) : u16(frame, 18);
        long addresses = InternetChecksum.pseudoHeader(frame, v4 ? 26 : 22, v4 ? 8 : 32, v4 ? frame[23] : frame[20],
                length);
        return InternetChecksum.isGood(InternetChecksum.add(addresses, frame, transport, length));
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
}
