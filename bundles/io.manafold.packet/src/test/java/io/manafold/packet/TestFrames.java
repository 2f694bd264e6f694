package io.manafold.packet;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.Random;

/** Frames for tests, built by the rules and not by the code under test. */
final class TestFrames {
    private TestFrames() {
    }

    static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replaceAll("\\s", ""));
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    static byte[] ethernet(int type, int... tags) {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        header.writeBytes(hex("000d3a000002000d3a000001"));
        for (int i = 0; i < tags.length; i++) {
            header.writeBytes(be16(i < tags.length - 1 ? 0x88a8 : 0x8100));
            header.writeBytes(be16(tags[i]));
        }
        header.writeBytes(be16(type));
        return header.toByteArray();
    }

    static byte[] be16(int value) {
        return new byte[] {(byte) (value >>> 8), (byte) value};
    }

    static byte[] ipv4(int protocol, int optionBytes, int fragment, int payload) {
        byte[] header = new byte[20 + optionBytes];
        header[0] = (byte) (0x40 | header.length / 4);
        put16(header, 2, header.length + payload);
        put16(header, 4, 0x1234);
        put16(header, 6, fragment);
        header[8] = 64;
        header[9] = (byte) protocol;
        System.arraycopy(hex("0a000001 0a000002"), 0, header, 12, 8);
        put16(header, 10, ~slowSum(header, 0, header.length) & 0xffff);
        return header;
    }

    static byte[] ipv6(int next, int payload) {
        byte[] header = new byte[40];
        header[0] = 0x60;
        put16(header, 4, payload);
        header[6] = (byte) next;
        header[7] = 64;
        System.arraycopy(hex("fd000000000000000000000000000001 fd000000000000000000000000000002"), 0, header, 8, 32);
        return header;
    }

    static byte[] tcp(int optionBytes, int flags) {
        byte[] header = new byte[20 + optionBytes];
        put16(header, 0, 1000);
        put16(header, 2, 2000);
        header[4] = (byte) 0xff;
        header[5] = (byte) 0xff;
        header[6] = (byte) 0xff;
        header[7] = 0;
        header[12] = (byte) (header.length / 4 << 4);
        header[13] = (byte) flags;
        return header;
    }

    static byte[] udp(int payload) {
        byte[] header = new byte[8];
        put16(header, 0, 1000);
        put16(header, 2, 2000);
        put16(header, 4, 8 + payload);
        return header;
    }

    static byte[] random(int bytes, long seed) {
        byte[] random = new byte[bytes];
        new Random(seed).nextBytes(random);
        return random;
    }

    static void put16(byte[] bytes, int at, int value) {
        bytes[at] = (byte) (value >>> 8);
        bytes[at + 1] = (byte) value;
    }

    static int get16(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }

    static int get32(byte[] bytes, int at) {
        return get16(bytes, at) << 16 | get16(bytes, at + 2);
    }

    /** The sum by the letter: 16 bits at a time with the carry brought round. */
    static int slowSum(byte[] bytes, int from, int to) {
        int sum = 0;
        for (int at = from; at < to; at += 2) {
            sum += (bytes[at] & 0xff) << 8 | (at + 1 < to ? bytes[at + 1] & 0xff : 0);
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return sum;
    }

    /** The folded sum of pseudo header and transport: 0xffff if the checksum in it is right. */
    static int slowTransportSum(byte[] frame, int network, int transport, int end, int protocol) {
        boolean v4 = frame[network] >>> 4 == 4;
        int addresses = network + (v4 ? 12 : 8);
        byte[] pseudo = join(java.util.Arrays.copyOfRange(frame, addresses, addresses + (v4 ? 8 : 32)),
                be16(0), be16(protocol), be16(0), be16(end - transport),
                java.util.Arrays.copyOfRange(frame, transport, end));
        return slowSum(pseudo, 0, pseudo.length);
    }
}
