package io.manafold.api.inet;

import java.util.Arrays;

/**
 * The address of a host: IPv4 or IPv6.
 *
 * @param version 4 or 6
 * @param high the first eight bytes of an IPv6 address, else 0
 * @param low the last eight bytes; of an IPv4 address the lower half has all of it
 */
public record IpAddress(int version, long high, long low) implements Comparable<IpAddress> {
    public static final IpAddress ANY4 = new IpAddress(4, 0, 0);
    public static final IpAddress ANY6 = new IpAddress(6, 0, 0);
    public static final IpAddress BROADCAST4 = new IpAddress(4, 0, 0xffff_ffffL);

    private static final int GROUPS = 8;
    private static final int LONGEST = 45;

    public IpAddress {
        if (version != 4 && version != 6) {
            throw new IllegalArgumentException("IP has the versions 4 and 6, not " + version);
        }
        if (version == 4 && (high != 0 || low >>> 32 != 0)) {
            throw new IllegalArgumentException("an IPv4 address has 32 bits");
        }
    }

    public static IpAddress ipv4(int bits) {
        return new IpAddress(4, 0, Integer.toUnsignedLong(bits));
    }

    public static IpAddress ipv6(long high, long low) {
        return new IpAddress(6, high, low);
    }

    /** Reads {@code 10.77.0.1} or {@code fd77::1}. */
    public static IpAddress parse(String text) {
        IpAddress address = text.length() > LONGEST ? null
                : text.indexOf(':') < 0 ? parse4(text) : parse6(text);
        if (address == null) {
            throw new IllegalArgumentException("'" + text.substring(0, Math.min(text.length(), LONGEST))
                    + "' is not an IP address; write 10.77.0.1 or fd77::1");
        }
        return address;
    }

    private static IpAddress parse4(String text) {
        String[] parts = text.split("\\.", -1);
        if (parts.length != 4) {
            return null;
        }
        long bits = 0;
        for (String part : parts) {
            int value = digits(part, 3, 10);
            if (value < 0 || value > 255 || part.length() > 1 && part.charAt(0) == '0') {
                return null;
            }
            bits = bits << 8 | value;
        }
        return new IpAddress(4, 0, bits);
    }

    private static IpAddress parse6(String text) {
        String whole = text;
        int tail = text.lastIndexOf(':') + 1;
        if (text.indexOf('.') >= 0) {
            IpAddress four = parse4(text.substring(tail));
            if (four == null) {
                return null;
            }
            whole = text.substring(0, tail) + Long.toHexString(four.low >>> 16) + ":"
                    + Long.toHexString(four.low & 0xffff);
        }
        int gap = whole.indexOf("::");
        if (gap >= 0 && whole.indexOf("::", gap + 1) >= 0) {
            return null;
        }
        int[] groups = new int[GROUPS];
        if (gap < 0) {
            return groups(whole, groups, 0) == GROUPS ? of(groups) : null;
        }
        int front = groups(whole.substring(0, gap), groups, 0);
        int[] back = new int[GROUPS];
        int behind = groups(whole.substring(gap + 2), back, 0);
        if (front < 0 || behind < 0 || front + behind >= GROUPS) {
            return null;
        }
        System.arraycopy(back, 0, groups, GROUPS - behind, behind);
        return of(groups);
    }

    /** How many groups there were, −1 if something else. */
    private static int groups(String text, int[] into, int from) {
        if (text.isEmpty()) {
            return 0;
        }
        int count = from;
        for (String part : text.split(":", -1)) {
            int value = digits(part, 4, 16);
            if (value < 0 || count == GROUPS) {
                return -1;
            }
            into[count++] = value;
        }
        return count;
    }

    private static int digits(String text, int most, int radix) {
        if (text.isEmpty() || text.length() > most) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) < 128 ? Character.digit(text.charAt(i), radix) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value * radix + digit;
        }
        return value;
    }

    private static IpAddress of(int[] groups) {
        long high = 0;
        long low = 0;
        for (int i = 0; i < 4; i++) {
            high = high << 16 | groups[i];
            low = low << 16 | groups[i + 4];
        }
        return new IpAddress(6, high, low);
    }

    public boolean isIpv4() {
        return version == 4;
    }

    /** Its bits: 32 or 128. */
    public int bits() {
        return isIpv4() ? 32 : 128;
    }

    /** Whether it stands for no address at all. */
    public boolean isUnspecified() {
        return high == 0 && low == 0;
    }

    public boolean isLoopback() {
        return isIpv4() ? low >>> 24 == 127 : high == 0 && low == 1;
    }

    public boolean isMulticast() {
        return isIpv4() ? low >>> 28 == 0xe : high >>> 56 == 0xff;
    }

    /** Whether it is good on one link only. */
    public boolean isLinkLocal() {
        return isIpv4() ? low >>> 16 == 0xa9fe : high >>> 54 == 0x3fa;
    }

    /** How {@code ip} calls its family: {@code inet}, {@code inet6}. */
    public String family() {
        return isIpv4() ? "inet" : "inet6";
    }

    @Override
    public int compareTo(IpAddress other) {
        int order = Integer.compare(version, other.version);
        order = order != 0 ? order : Long.compareUnsigned(high, other.high);
        return order != 0 ? order : Long.compareUnsigned(low, other.low);
    }

    /** As people write it, the longest run of zeros left out. */
    // plain code: what Java would make of a record at its first use costs each start of a platform
    @Override
    public boolean equals(Object other) {
        return other instanceof IpAddress address && address.version == version && address.high == high
                && address.low == low;
    }

    @Override
    public int hashCode() {
        return (version * 31 + Long.hashCode(high)) * 31 + Long.hashCode(low);
    }

    @Override
    public String toString() {
        if (isIpv4()) {
            return (low >>> 24) + "." + (low >>> 16 & 255) + "." + (low >>> 8 & 255) + "." + (low & 255);
        }
        int[] groups = new int[GROUPS];
        Arrays.setAll(groups, i -> (int) ((i < 4 ? high : low) >>> 48 - 16 * (i & 3)) & 0xffff);
        int gap = -1;
        int longest = 1;
        for (int i = 0; i < GROUPS; i++) {
            int end = i;
            while (end < GROUPS && groups[end] == 0) {
                end++;
            }
            if (end - i > longest) {
                longest = end - i;
                gap = i;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < GROUPS; i++) {
            if (i == gap) {
                text.append("::");
                i += longest - 1;
            } else {
                text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":")
                        .append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString();
    }
}
