package io.manafold.example.store.internal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.SecureRandom;

/** The hash function SipHash-1-3 with a secret of its own, so that a client cannot choose keys that fall together. */
final class KeyHash {
    private final long k0;
    private final long k1;

    KeyHash() {
        this(new SecureRandom().nextLong(), new SecureRandom().nextLong());
    }

    KeyHash(long k0, long k1) {
        this.k0 = k0;
        this.k1 = k1;
    }

    long of(MemorySegment memory, long at, int length) {
        long v0 = k0 ^ 0x736f6d6570736575L;
        long v1 = k1 ^ 0x646f72616e646f6dL;
        long v2 = k0 ^ 0x6c7967656e657261L;
        long v3 = k1 ^ 0x7465646279746573L;
        int whole = length & ~7;
        for (int i = 0; i <= length; i += 8) {
            long word = i < whole ? memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at + i) : last(memory, at + i, length);
            v3 ^= word;
            // a round
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
            v0 ^= word;
            if (i >= whole) {
                break;
            }
        }
        v2 ^= 0xff;
        for (int round = 0; round < 3; round++) {
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
        }
        return v0 ^ v1 ^ v2 ^ v3;
    }

    private static long last(MemorySegment memory, long at, int length) {
        long word = (long) length << 56;
        for (int i = 0; i < (length & 7); i++) {
            word |= (memory.get(ValueLayout.JAVA_BYTE, at + i) & 0xffL) << i * 8;
        }
        return word;
    }
}
