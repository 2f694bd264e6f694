package io.manafold.gdma;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * The address of an RDMA port: an IPv6 address, or an IPv4 address in the form {@code ::ffff:a.b.c.d}.
 *
 * @param high the first eight bytes, the first of them in the highest bits
 * @param low the last eight bytes
 */
public record Gid(long high, long low) {
    public static final Gid NONE = new Gid(0, 0);
    /** The family as commands number it. */
    public static final int IPV4 = 1;
    /** The family as commands number it. */
    public static final int IPV6 = 2;

    /** From 16 bytes in their order on the wire. */
    public static Gid of(byte[] bytes) {
        if (bytes.length != 16) {
            throw new IllegalArgumentException("a GID has 16 bytes, not " + bytes.length);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return new Gid(buffer.getLong(), buffer.getLong());
    }

    /** Of an IPv4 address, its first byte in the highest bits. */
    public static Gid ofIpv4(int address) {
        return new Gid(0, 0xffff_0000_0000L | address & 0xffff_ffffL);
    }

    /** The 16 bytes in their order on the wire. */
    public byte[] bytes() {
        return ByteBuffer.allocate(16).putLong(high).putLong(low).array();
    }

    public boolean isIpv4() {
        return high == 0 && low >>> 32 == 0xffff;
    }

    /** The IPv4 address in it, its first byte in the highest bits. */
    public int ipv4() {
        return (int) low;
    }

    /** {@link #IPV4} or {@link #IPV6}. */
    public int family() {
        return isIpv4() ? IPV4 : IPV6;
    }

    @Override
    public String toString() {
        if (isIpv4()) {
            return "::ffff:%d.%d.%d.%d".formatted(low >>> 24 & 0xff, low >>> 16 & 0xff, low >>> 8 & 0xff, low & 0xff);
        }
        try {
            return InetAddress.getByAddress(bytes()).getHostAddress();
        } catch (UnknownHostException impossible) {
            throw new AssertionError("16 bytes are an address", impossible);
        }
    }
}
