package io.manafold.commands.rdma.internal;

/**
 * A speed in the terms of InfiniBand, with the codes of verbs.
 *
 * @param width how many lanes
 * @param lane how fast one is
 */
record PortSpeed(String width, String lane) {
    private static final long GIGA = 1_000_000_000L;

    /** What a speed of Ethernet counts as; what is unknown counts as the slowest. */
    static PortSpeed of(long bitsPerSecond) {
        if (bitsPerSecond <= GIGA) {
            return new PortSpeed("1X (1)", "2.5 Gbps (1)");
        } else if (bitsPerSecond <= 10 * GIGA) {
            return new PortSpeed("1X (1)", "10.0 Gbps (8)");
        } else if (bitsPerSecond <= 20 * GIGA) {
            return new PortSpeed("4X (2)", "5.0 Gbps (2)");
        } else if (bitsPerSecond <= 25 * GIGA) {
            return new PortSpeed("1X (1)", "25.0 Gbps (32)");
        } else if (bitsPerSecond <= 40 * GIGA) {
            return new PortSpeed("4X (2)", "10.0 Gbps (8)");
        } else if (bitsPerSecond <= 50 * GIGA) {
            return new PortSpeed("2X (16)", "25.0 Gbps (32)");
        } else if (bitsPerSecond <= 100 * GIGA) {
            return new PortSpeed("4X (2)", "25.0 Gbps (32)");
        } else if (bitsPerSecond <= 200 * GIGA) {
            return new PortSpeed("4X (2)", "50.0 Gbps (64)");
        }
        return new PortSpeed("4X (2)", "100.0 Gbps (128)");
    }
}
