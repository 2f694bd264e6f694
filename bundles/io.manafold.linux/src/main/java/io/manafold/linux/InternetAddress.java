package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;

/** Addresses of the internet as the kernel has them in memory: {@code sockaddr_in} and {@code sockaddr_in6}. */
public final class InternetAddress {
    /** Bytes of the longer of the two. */
    public static final int LONGEST = 28;

    private static final int AF_INET6 = 10;
    private static final int EAFNOSUPPORT = 97;
    private static final int EADDRNOTAVAIL = 99;
    private static final ValueLayout.OfShort PORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    private InternetAddress() {
    }

    static int family(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address ? AF_INET6 : SocketCalls.AF_INET;
    }

    /** An address as the kernel wants it; one whose name has no address is {@code EADDRNOTAVAIL}. */
    public static MemorySegment encode(InetSocketAddress address, Arena arena) throws SystemCallException {
        if (address.isUnresolved()) {
            throw new SystemCallException("\"" + address.getHostString() + "\" has no address", EADDRNOTAVAIL);
        }
        byte[] bytes = address.getAddress().getAddress();
        boolean six = family(address) == AF_INET6;
        MemorySegment encoded = arena.allocate(six ? LONGEST : 16, 8);
        encoded.set(JAVA_SHORT, 0, (short) family(address));
        encoded.set(PORT, 2, (short) address.getPort());
        MemorySegment.copy(bytes, 0, encoded, JAVA_BYTE, six ? 8 : 4, bytes.length);
        if (address.getAddress() instanceof Inet6Address scoped) {
            encoded.set(JAVA_INT, 24, scoped.getScopeId());
        }
        return encoded;
    }

    static InetSocketAddress decode(MemorySegment encoded) throws SystemCallException {
        int port = Short.toUnsignedInt(encoded.get(PORT, 2));
        try {
            return switch (encoded.get(JAVA_SHORT, 0)) {
                case SocketCalls.AF_INET -> new InetSocketAddress(
                        InetAddress.getByAddress(encoded.asSlice(4, 4).toArray(JAVA_BYTE)), port);
                case AF_INET6 -> new InetSocketAddress(Inet6Address.getByAddress(null,
                        encoded.asSlice(8, 16).toArray(JAVA_BYTE), encoded.get(JAVA_INT, 24)), port);
                default -> throw new SystemCallException("address of a socket", EAFNOSUPPORT);
            };
        } catch (UnknownHostException neverOfThatLength) {
            throw new SystemCallException("address of a socket", EAFNOSUPPORT);
        }
    }
}
