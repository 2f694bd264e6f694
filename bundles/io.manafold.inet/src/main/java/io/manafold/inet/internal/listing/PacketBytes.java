package io.manafold.inet.internal.listing;

import io.manafold.api.inet.IpAddress;
import java.util.Objects;

/** The first bytes of a packet. A reader asks first whether they {@link #has are there}. */
record PacketBytes(byte[] array, int offset, int count) {
    private static final int IPV4 = 4;

    PacketBytes {
        Objects.checkFromIndexSize(offset, count, array.length);
    }

    boolean has(int at, int size) {
        return at >= 0 && size >= 0 && at <= count - size;
    }

    int u8(int at) {
        return array[offset + Objects.checkIndex(at, count)] & 0xff;
    }

    int u16(int at) {
        return u8(at) << 8 | u8(at + 1);
    }

    int i32(int at) {
        return u16(at) << 16 | u16(at + 2);
    }

    long u32(int at) {
        return Integer.toUnsignedLong(i32(at));
    }

    private long i64(int at) {
        return u32(at) << 32 | u32(at + 4);
    }

    /** @param size 4, or 16 for IPv6 */
    IpAddress address(int at, int size) {
        return size == IPV4 ? IpAddress.ipv4(i32(at)) : IpAddress.ipv6(i64(at), i64(at + 8));
    }
}
