package io.manafold.memory;

/**
 * What is known of a packet, or asked of a device that sends it: bits in the upper half of {@link PacketPool#first}.
 */
public final class PacketFlags {
    /** Received: the header checksum of IP is right. */
    public static final int IP_GOOD = 1;
    public static final int IP_BAD = 1 << 1;
    /** Received: the checksum of TCP or UDP is right. */
    public static final int TRANSPORT_GOOD = 1 << 2;
    public static final int TRANSPORT_BAD = 1 << 3;
    /** Received: the second word has the hash. */
    public static final int HASHED = 1 << 4;
    /** Received: there was a tag, which the second word has. */
    public static final int TAGGED = 1 << 5;
    /** Received: the tag is not in the bytes any more. */
    public static final int TAG_STRIPPED = 1 << 6;
    public static final int OUTER_IP_BAD = 1 << 7;

    /** To send: put the tag of the second word into the frame. */
    public static final int INSERT_TAG = 1 << 16;
    /** To send: compute the header checksum of IPv4. */
    public static final int IP_CHECKSUM = 1 << 17;
    /** To send: compute the checksum of TCP. */
    public static final int TCP_CHECKSUM = 1 << 18;
    /** To send: compute the checksum of UDP. */
    public static final int UDP_CHECKSUM = 1 << 19;
    /** To send: the packet is IPv4. */
    public static final int IPV4 = 1 << 20;
    /** To send: the packet is IPv6. */
    public static final int IPV6 = 1 << 21;

    /** All that make a send more than plain. */
    public static final int SEND = INSERT_TAG | IP_CHECKSUM | TCP_CHECKSUM | UDP_CHECKSUM | IPV4 | IPV6;

    private PacketFlags() {
    }
}
