package io.manafold.rdma.internal.device;

import io.manafold.api.net.MacAddress;
import java.nio.ByteBuffer;
import java.util.Random;

/** Frames with datagrams of UDP, and what they are hashed to. */
final class Datagrams {
    private static final int ADDRESSES = 26;
    private static final int HASHED = 12;

    private Datagrams() {
    }

    /** A frame of a length; flow and payload follow from a number. */
    static byte[] frame(MacAddress from, MacAddress to, int length, int number) {
        byte[] frame = new byte[length];
        new Random(number).nextBytes(frame);
        ByteBuffer words = ByteBuffer.wrap(frame);
        words.putShort((short) (to.value() >>> 32)).putInt((int) to.value());
        words.putShort((short) (from.value() >>> 32)).putInt((int) from.value());
        words.putShort((short) 0x0800);
        words.putShort((short) 0x4500).putShort((short) (length - 14)).putInt(0).putShort((short) 0x4011)
                .putShort((short) 0);
        words.putInt(0x0a4d_0001).putInt(0x0a4d_0100 + number);
        words.putShort((short) (1000 + number)).putShort((short) 4000).putShort((short) (length - 34))
                .putShort((short) 0);
        words.putShort(24, (short) sum(frame));
        return frame;
    }

    private static int sum(byte[] frame) {
        int sum = 0;
        for (int i = 14; i < 34; i += 2) {
            sum += (frame[i] & 0xff) << 8 | frame[i + 1] & 0xff;
        }
        return ~((sum & 0xffff) + (sum >>> 16));
    }

    /** Bit by bit as it is defined: where a bit of the input is set, the 32 bits of the key from there on. */
    static int toeplitz(byte[] key, byte[] frame) {
        int hash = 0;
        for (int bit = 0; bit < 8 * HASHED; bit++) {
            if ((frame[ADDRESSES + bit / 8] & 0x80 >>> bit % 8) != 0) {
                for (int k = 0; k < 32; k++) {
                    hash ^= (key[(bit + k) / 8] >>> 7 - (bit + k) % 8 & 1) << 31 - k;
                }
            }
        }
        return hash;
    }
}
