package io.manafold.api.rdma;

import io.manafold.api.net.MacAddress;
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
    /** No address. */
    public static final Gid NONE = new Gid(0, 0);

    private static final long LINK_LOCAL = 0xfe80L << 48;
    private static final long IPV4 = 0xffff_0000_0000L;
    /** What stands in the middle of an identifier that was made of a MAC address. */
    private static final long MIDDLE = 0xff_fe00_0000L;
    private static final long MIDDLE_MASK = 0xff_ff00_0000L;
    private static final long FLIPPED = 1L << 57;

    /** The link-local address that follows from a MAC address. */
    public static Gid linkLocal(MacAddress mac) {
        return new Gid(LINK_LOCAL, guid(mac));
    }

    /** The identifier of 64 bits that follows from a MAC address. */
    public static long guid(MacAddress mac) {
        long value = mac.value();
        return (value >>> 24 << 40 | MIDDLE | value & 0xff_ffff) ^ FLIPPED;
    }

    /** Of any IP address. */
    public static Gid of(InetAddress address) {
        byte[] bytes = address.getAddress();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return bytes.length == 4 ? ofIpv4(buffer.getInt()) : new Gid(buffer.getLong(), buffer.getLong());
    }

    /** Of an IPv4 address, its first byte in the highest bits. */
    public static Gid ofIpv4(int address) {
        return new Gid(0, IPV4 | address & 0xffff_ffffL);
    }

    /** Whether it is an IPv4 address. */
    public boolean isIpv4() {
        return high == 0 && low >>> 32 == 0xffff;
    }

    /** Whether it was made of a MAC address, which is then {@link #mac}. */
    public boolean isFromMac() {
        return high == LINK_LOCAL && (low & MIDDLE_MASK) == MIDDLE;
    }

    /** The MAC address that it was made of, if it was. */
    public MacAddress mac() {
        long bytes = low ^ FLIPPED;
        return new MacAddress(bytes >>> 40 << 24 | bytes & 0xff_ffff);
    }

    /** As an IP address. */
    @Override
    public String toString() {
        try {
            if (isIpv4()) {
                return "::ffff:" + InetAddress.getByAddress(ByteBuffer.allocate(4).putInt((int) low).array())
                        .getHostAddress();
            }
            return InetAddress.getByAddress(ByteBuffer.allocate(16).putLong(high).putLong(low).array())
                    .getHostAddress();
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
