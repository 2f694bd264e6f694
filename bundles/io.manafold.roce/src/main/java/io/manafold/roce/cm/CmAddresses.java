package io.manafold.roce.cm;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.ByteBuffer;

/**
 * What a connection between addresses of IP has before its private data: 36 bytes. Addresses have 16 bytes, an IPv4
 * address is {@code ::ffff:a.b.c.d} here, and four bytes behind zeroes in the message.
 *
 * @param ipv6 whether both addresses are of IPv6
 * @param sourcePort of the end that asks; that of the other is in the service id
 */
public record CmAddresses(boolean ipv6, int sourcePort, long sourceHigh, long sourceLow, long destinationHigh,
        long destinationLow) {
    public static final int BYTES = 36;
    /** What is left of a request's private data. */
    public static final int USER_BYTES = CmRequest.PRIVATE_BYTES - BYTES;

    public static final int PORTS_TCP = 0x0106;
    public static final int PORTS_UDP = 0x0111;
    public static final int PORTS_IB = 0x013f;

    private static final int PORT_BITS = 16;
    private static final long MAPPED = 0xffff_0000_0000L;
    private static final long WORD = 0xffff_ffffL;

    /** The service of a port in one of the spaces of ports. */
    public static long serviceId(int space, int port) {
        return (long) space << PORT_BITS | port;
    }

    /** The port of a service in this space, -1 if it is of another. */
    public static int port(long serviceId, int space) {
        return serviceId >>> PORT_BITS == space ? (int) serviceId & 0xffff : -1;
    }

    /** {@link Refusal} EPROTO unless version and family are known. */
    public static CmAddresses decode(byte[] privateData) {
        if (privateData.length < BYTES) {
            throw new Refusal(Errno.EPROTO, "addresses have %d bytes, not %d".formatted(BYTES, privateData.length));
        }
        ByteBuffer from = ByteBuffer.wrap(privateData);
        int family = from.get(1) >>> 4 & 0xf;
        if (from.get(0) != 0 || family != 4 && family != 6) {
            throw new Refusal(Errno.EPROTO,
                    "addresses are of version 0, of IPv4 or IPv6, not of version %d, IPv%d".formatted(from.get(0)
                    & 0xff, family));
        }
        boolean ipv6 = family == 6;
        return new CmAddresses(ipv6, from.getShort(2) & 0xffff, high(from, 4, ipv6), low(from, 4, ipv6),
                high(from, 20, ipv6), low(from, 20, ipv6));
    }

    private static long high(ByteBuffer from, int at, boolean ipv6) {
        return ipv6 ? from.getLong(at) : 0;
    }

    private static long low(ByteBuffer from, int at, boolean ipv6) {
        long low = from.getLong(at + 8);
        return ipv6 ? low : MAPPED | low & WORD;
    }

    /** Before the user's data, which may be shorter than {@link #USER_BYTES}. */
    public byte[] encode(byte[] user) {
        ByteBuffer to = ByteBuffer.allocate(BYTES + user.length);
        to.put(1, (byte) (ipv6 ? 0x60 : 0x40)).putShort(2, (short) sourcePort);
        to.putLong(4, ipv6 ? sourceHigh : 0).putLong(12, ipv6 ? sourceLow : sourceLow & WORD);
        to.putLong(20, ipv6 ? destinationHigh : 0).putLong(28, ipv6 ? destinationLow : destinationLow & WORD);
        return to.put(BYTES, user).array();
    }
}
