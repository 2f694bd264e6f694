package io.manafold.gdma;

/** What a receive hash was computed from; each a bit of its own. */
public final class HashType {
    public static final int NONE = 0;
    public static final int IPV4 = 1;
    public static final int TCP_IPV4 = 1 << 1;
    public static final int UDP_IPV4 = 1 << 2;
    public static final int IPV6 = 1 << 3;
    public static final int TCP_IPV6 = 1 << 4;
    public static final int UDP_IPV6 = 1 << 5;
    public static final int IPV6_EXTENSIONS = 1 << 6;
    public static final int TCP_IPV6_EXTENSIONS = 1 << 7;
    public static final int UDP_IPV6_EXTENSIONS = 1 << 8;

    /** What drivers name that name what may be hashed. */
    public static final int USUAL = IPV4 | TCP_IPV4 | UDP_IPV4 | IPV6 | TCP_IPV6 | UDP_IPV6;

    private static final int PORTS =
            TCP_IPV4 | UDP_IPV4 | TCP_IPV6 | UDP_IPV6 | TCP_IPV6_EXTENSIONS | UDP_IPV6_EXTENSIONS;

    private HashType() {
    }

    /** Whether the ports went into the hash. */
    public static boolean hasPorts(int type) {
        return (type & PORTS) != 0;
    }
}
