package io.manafold.gdma;

import io.manafold.api.net.MacAddress;
import io.manafold.memory.RawMemory;

/**
 * Where a datagram goes and where from: 48 bytes, the first piece of the request, written by the driver. Addresses lie
 * in memory last byte first; those of IPv4 have the last four of 16 bytes, also last byte first. The methods that take
 * a native address, of the first byte, are for a copy that the driver cannot change.
 */
public final class AddressVector {
    public static final int SIZE = 48;
    public static final int DESTINATION = 0x00;
    public static final int DESTINATION_MAC = 0x10;
    /** 16 bits. */
    public static final int SOURCE_PORT = 0x16;
    public static final int SOURCE = 0x18;
    /** Hop limit, service and family. */
    public static final int LAST = 0x28;

    private static final int IPV6 = 1 << 31;
    /** The bytes before an IPv4 destination that make it a mapped address; a source lacks them. */
    private static final long MAPPED = 0xffff_0000L;

    private AddressVector() {
    }

    /** The UDP port that packets of a flow come from. */
    public static int sourcePort(int flowLabel) {
        return flowLabel & 0x3fff ^ flowLabel >>> 14 & 0x3f | 0xc000;
    }

    /** The last word. */
    public static int last(int hopLimit, int dscp, boolean ipv6) {
        return hopLimit & 0xff | (dscp & 0x3f) << 20 | (ipv6 ? IPV6 : 0);
    }

    public static int hopLimit(int last) {
        return last & 0xff;
    }

    public static int dscp(int last) {
        return last >>> 20 & 0x3f;
    }

    public static boolean isIpv6(int last) {
        return last < 0;
    }

    /** Writes all of it; the family is the destination's. */
    public static void write(long at, Gid destination, MacAddress mac, int sourcePort, Gid source, int hopLimit,
            int dscp) {
        boolean ipv6 = !destination.isIpv4();
        put(at + DESTINATION, destination, ipv6, MAPPED);
        RawMemory.put64(at + DESTINATION_MAC, mac.value() | (long) sourcePort << 48);
        put(at + SOURCE, source, ipv6, 0);
        RawMemory.put64(at + LAST, last(hopLimit, dscp, ipv6) & 0xffff_ffffL);
    }

    private static void put(long at, Gid gid, boolean ipv6, long before) {
        RawMemory.put64(at, ipv6 ? gid.low() : 0);
        RawMemory.put64(at + 8, ipv6 ? gid.high() : (long) gid.ipv4() << 32 | before);
    }

    public static int last(long at) {
        return RawMemory.get32(at + LAST);
    }

    public static Gid destination(long at) {
        return gid(at + DESTINATION, last(at));
    }

    public static Gid source(long at) {
        return gid(at + SOURCE, last(at));
    }

    private static Gid gid(long at, int last) {
        return isIpv6(last) ? new Gid(RawMemory.get64(at + 8), RawMemory.get64(at))
                : Gid.ofIpv4(RawMemory.get32(at + 12));
    }

    public static MacAddress destinationMac(long at) {
        return new MacAddress(RawMemory.get64(at + DESTINATION_MAC) & 0xffff_ffff_ffffL);
    }

    public static int sourcePort(long at) {
        return RawMemory.get16(at + SOURCE_PORT);
    }
}
