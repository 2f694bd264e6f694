package io.manafold.packet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The Toeplitz hash under one key: each byte of input at each place has its contribution in a table. To change the key
 * make another and swap the reference; readers then see the old or the new key, never half of each.
 */
public final class Toeplitz {
    /** Bytes of a key. */
    public static final int KEY = 40;
    /** Bytes that can be hashed: two IPv6 addresses and two ports. */
    public static final int MAX_INPUT = KEY - 4;

    private static final VarHandle BIG = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private final byte[] key;
    private final int[] table = new int[MAX_INPUT << 8];

    public Toeplitz(byte[] key) {
        if (key.length != KEY) {
            throw new IllegalArgumentException("a key has " + KEY + " bytes, not " + key.length);
        }
        this.key = key.clone();
        for (int place = 0; place < MAX_INPUT; place++) {
            long window = Integer.toUnsignedLong((int) BIG.get(this.key, place)) << 8 | this.key[place + 4] & 0xff;
            int row = place << 8;
            for (int bit = 0; bit < 8; bit++) {
                int value = 0x80 >>> bit;
                int contribution = (int) (window >>> 8 - bit);
                // all bytes whose highest bit is this one
                for (int rest = 0; rest < value; rest++) {
                    table[row + value + rest] = contribution;
                }
            }
            for (int value = 1; value < 256; value++) {
                int below = value & ~Integer.highestOneBit(value);
                table[row + value] ^= table[row + below];
            }
        }
    }

    /** A copy of the key. */
    public byte[] key() {
        return key.clone();
    }

    /** Hashes bytes in the order they lie in, at most {@link #MAX_INPUT}. */
    public int hash(byte[] bytes, int offset, int length) {
        return part(bytes, offset, length, 0);
    }

    /**
     * Hashes source and destination address, which lie together, and both ports, which may lie elsewhere.
     *
     * @param addresses where the two addresses begin
     * @param addressBytes of both together: 8 or 32
     * @param ports where the two ports begin
     */
    public int hash(byte[] bytes, int addresses, int addressBytes, int ports) {
        return part(bytes, addresses, addressBytes, 0) ^ part(bytes, ports, 4, addressBytes);
    }

    private int part(byte[] bytes, int offset, int length, int place) {
        int hash = 0;
        for (int i = 0; i < length; i++) {
            hash ^= table[place + i << 8 | bytes[offset + i] & 0xff];
        }
        return hash;
    }
}
