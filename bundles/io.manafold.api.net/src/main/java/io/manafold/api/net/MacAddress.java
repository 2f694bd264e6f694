package io.manafold.api.net;

import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a station on an Ethernet.
 *
 * @param value the six bytes, the first on the wire in bits 47 to 40
 */
public record MacAddress(long value) implements Comparable<MacAddress> {
    public static final MacAddress BROADCAST = new MacAddress(0xffff_ffff_ffffL);

    private static final HexFormat HEX = HexFormat.of();
    private static final Pattern TEXT = Pattern.compile("[0-9a-fA-F]{2}([:-][0-9a-fA-F]{2}){5}");

    public MacAddress {
        if (value >>> 48 != 0) {
            throw new IllegalArgumentException("a MAC address has 48 bits, not %x".formatted(value));
        }
    }

    /** Reads {@code 00:0d:3a:00:00:01}. */
    public static MacAddress parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a MAC address; write six bytes, as in 00:0d:3a:00:00:01");
        }
        return new MacAddress(Long.parseLong(text.replaceAll("[:-]", ""), 16));
    }

    /** Whether it stands for a group of stations. */
    public boolean isMulticast() {
        return (value >>> 40 & 1) != 0;
    }

    /** Whether one station can have it. */
    public boolean isStation() {
        return !isMulticast() && value != 0;
    }

    @Override
    public int compareTo(MacAddress other) {
        return Long.compare(value, other.value);
    }

    // plain code: what Java would make of a record at its first use costs each start of a platform
    @Override
    public boolean equals(Object other) {
        return other instanceof MacAddress address && address.value == value;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(value);
    }

    @Override
    public String toString() {
        // addresses are names that everything is told by, and a format is read anew each time
        StringBuilder text = new StringBuilder(17);
        for (int shift = 40; shift >= 0; shift -= 8) {
            HEX.toHexDigits(text, (byte) (value >>> shift));
            if (shift > 0) {
                text.append(':');
            }
        }
        return text.toString();
    }
}
