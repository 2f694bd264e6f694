package io.manafold.api.device;

import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a function sits: {@code dddd:bb:dd.f}, all hexadecimal. */
public record PciAddress(int domain, int bus, int device, int function) implements Comparable<PciAddress> {
    private static final Pattern TEXT =
            Pattern.compile("(?:([0-9a-fA-F]{1,8}):)?([0-9a-fA-F]{1,2}):([0-9a-fA-F]{1,2})\\.([0-7])");

    private static final HexFormat HEX = HexFormat.of();

    public PciAddress {
        if (domain < 0 || (bus & ~0xff) != 0 || (device & ~0x1f) != 0 || (function & ~0x7) != 0) {
            throw new IllegalArgumentException("not a PCI address: domain %x, bus %x, device %x, function %x"
                    .formatted(domain, bus, device, function));
        }
    }

    /** Reads {@code 7870:00:00.0}, or {@code 00:00.0} in domain 0. */
    public static PciAddress parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a PCI address; write domain:bus:device.function, as in 7870:00:00.0");
        }
        long domain = parts.group(1) == null ? 0 : Long.parseLong(parts.group(1), 16);
        if (domain > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("'" + text + "': the domain is at most 7fffffff");
        }
        return new PciAddress((int) domain, Integer.parseInt(parts.group(2), 16),
                Integer.parseInt(parts.group(3), 16), Integer.parseInt(parts.group(4)));
    }

    @Override
    public int compareTo(PciAddress other) {
        int order = Integer.compare(domain, other.domain);
        order = order != 0 ? order : Integer.compare(bus, other.bus);
        order = order != 0 ? order : Integer.compare(device, other.device);
        return order != 0 ? order : Integer.compare(function, other.function);
    }

    // plain code: what Java would make of a record at its first use costs each start of a platform
    @Override
    public boolean equals(Object other) {
        return other instanceof PciAddress address && address.domain == domain && address.bus == bus
                && address.device == device && address.function == function;
    }

    @Override
    public int hashCode() {
        return ((domain * 31 + bus) * 31 + device) * 31 + function;
    }

    @Override
    public String toString() {
        // addresses are names that everything is looked up by, and a format is read anew each time
        int digits = Math.max(4, 8 - Integer.numberOfLeadingZeros(domain) / 4);
        return HEX.toHexDigits(domain, digits) + ':' + HEX.toHexDigits((byte) bus) + ':'
                + HEX.toHexDigits((byte) device) + '.' + function;
    }
}
