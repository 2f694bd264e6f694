package io.manafold.guests;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/** The hash that spreads received frames over queues, computed bit by bit from its definition. */
final class Toeplitz {
    private final byte[] key;

    Toeplitz(byte[] key) {
        this.key = key.clone();
    }

    /** From the form {@code fa:63:99…} in which ethtool prints a key. */
    static Toeplitz of(String key) {
        return new Toeplitz(HexFormat.ofDelimiter(":").parseHex(key.trim()));
    }

    int ports(String from, int fromPort, String to, int toPort) {
        byte[] source = address(from);
        byte[] target = address(to);
        return hash(ByteBuffer.allocate(source.length + target.length + 4).put(source).put(target)
                .putShort((short) fromPort).putShort((short) toPort).array());
    }

    int addresses(String from, String to) {
        byte[] source = address(from);
        byte[] target = address(to);
        return hash(ByteBuffer.allocate(source.length + target.length).put(source).put(target).array());
    }

    /** For every input bit that is set, the 32 key bits that begin at its place. */
    private int hash(byte[] input) {
        int hash = 0;
        for (int bit = 0; bit < input.length * 8; bit++) {
            if (bit(input, bit)) {
                hash ^= window(bit);
            }
        }
        return hash;
    }

    private int window(int from) {
        int window = 0;
        for (int bit = from; bit < from + 32; bit++) {
            window = window << 1 | (bit(key, bit) ? 1 : 0);
        }
        return window;
    }

    private static boolean bit(byte[] bytes, int number) {
        return (bytes[number / 8] >> 7 - number % 8 & 1) != 0;
    }

    private static byte[] address(String text) {
        try {
            return InetAddress.ofLiteral(text).getAddress();
        } catch (IllegalArgumentException notAnAddress) {
            throw new AssertionError(text, notAnAddress);
        }
    }
}
