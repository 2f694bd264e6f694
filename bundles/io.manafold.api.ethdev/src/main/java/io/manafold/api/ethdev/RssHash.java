package io.manafold.api.ethdev;

import java.util.Arrays;

/**
 * How packets are spread over queues: by the Toeplitz hash of some of their fields.
 *
 * @param key 40 bytes, or none for the device's own
 * @param fields bits of the constants here, numbered as poll-mode users know them; 0 has all packets go to the first
 *        queue. A device may hash more fields than are named
 */
public record RssHash(byte[] key, long fields) {
    public static final long IPV4 = 1L << 2;
    public static final long IPV4_TCP = 1L << 4;
    public static final long IPV4_UDP = 1L << 5;
    public static final long IPV6 = 1L << 8;
    public static final long IPV6_TCP = 1L << 10;
    public static final long IPV6_UDP = 1L << 11;
    public static final long ALL = IPV4 | IPV4_TCP | IPV4_UDP | IPV6 | IPV6_TCP | IPV6_UDP;

    /** The device's key; addresses alone. */
    public static final RssHash DEFAULT = new RssHash(new byte[0], IPV4 | IPV6);

    public RssHash {
        key = key.clone();
    }

    /** A copy. */
    @Override
    public byte[] key() {
        return key.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RssHash hash && hash.fields == fields && Arrays.equals(hash.key, key);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(key) + Long.hashCode(fields);
    }
}
