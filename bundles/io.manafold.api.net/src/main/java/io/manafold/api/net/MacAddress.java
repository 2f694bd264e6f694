package io.manafold.api.net;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address of a station on an Ethernet.
 *
 * @param value the six bytes, the first on the wire in bits 47 to 40
 */
public record MacAddress(long value) implements Comparable<MacAddress> {
    public static final MacAddress BROADCAST = new MacAddress(0xffff_ffff_ffffL);

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

    @Override
    public String toString() {
        return "%02x:%02x:%02x:%02x:%02x:%02x".formatted(value >>> 40, value >>> 32 & 0xff, value >>> 24 & 0xff,
                value >>> 16 & 0xff, value >>> 8 & 0xff, value & 0xff);
    }
}
