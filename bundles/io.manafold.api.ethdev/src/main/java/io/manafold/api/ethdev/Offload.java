package io.manafold.api.ethdev;

/** What a device does to packets, as bits; they are numbered as poll-mode users know them. */
public final class Offload {
    public static final long RECEIVE_VLAN_STRIP = 1;
    public static final long RECEIVE_IPV4_CHECKSUM = 1L << 1;
    public static final long RECEIVE_UDP_CHECKSUM = 1L << 2;
    public static final long RECEIVE_TCP_CHECKSUM = 1L << 3;
    public static final long RECEIVE_RSS_HASH = 1L << 19;

    public static final long SEND_VLAN_INSERT = 1;
    public static final long SEND_IPV4_CHECKSUM = 1L << 1;
    public static final long SEND_UDP_CHECKSUM = 1L << 2;
    public static final long SEND_TCP_CHECKSUM = 1L << 3;
    public static final long SEND_SEGMENTS = 1L << 15;

    private Offload() {
    }
}
