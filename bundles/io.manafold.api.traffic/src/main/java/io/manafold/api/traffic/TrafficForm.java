package io.manafold.api.traffic;

/**
 * What a made-up packet is around its number.
 *
 * @param transport what it pretends to be
 * @param ipv6 whether it has IPv6 addresses; only with a transport
 * @param vlan the number of a VLAN, 0 for no tag
 * @param large payload bytes of a TCP send that the device cuts into segments, 0 for packets as they go over the wire
 * @param wrongChecksum whether its transport checksum is wrong on purpose
 * @param port the port that it is for; without a transport it has none
 */
public record TrafficForm(Transport transport, boolean ipv6, int vlan, int large, boolean wrongChecksum, int port) {
    /** The port where what arrives is thrown away. */
    public static final int DISCARD = 9;
    /** Ethernet alone, with an EtherType that is free for experiments. */
    public static final TrafficForm PLAIN = new TrafficForm(Transport.NONE, false, 0, 0, false);
    /** The bytes that number a packet, which every one of them has behind its headers. */
    public static final int NUMBERS = 20;
    /** The largest send that a device is asked to cut, in bytes of payload. */
    public static final int MOST_LARGE = 65_536;

    private static final int ETHERNET = 14;
    private static final int SHORTEST = 60;

    /** For {@link #DISCARD}. */
    public TrafficForm(Transport transport, boolean ipv6, int vlan, int large, boolean wrongChecksum) {
        this(transport, ipv6, vlan, large, wrongChecksum, DISCARD);
    }

    /** What is above IP. */
    public enum Transport {
        /** There is no IP at all. */
        NONE(0),
        UDP(8),
        TCP(20);

        private final int bytes;

        Transport(int bytes) {
            this.bytes = bytes;
        }
    }

    public boolean isIp() {
        return transport != Transport.NONE;
    }

    /** Bytes of all headers, without a tag. */
    public int headers() {
        return ETHERNET + transport.bytes + (!isIp() ? 0 : ipv6 ? 40 : 20);
    }

    /** Bytes of the shortest frame of this form. */
    public int least() {
        return Math.max(SHORTEST, headers() + NUMBERS);
    }

    /** How many frames of a size go over the wire for one send. */
    public int segments(int size) {
        return large == 0 ? 1 : (large - 1) / (size - headers()) + 1;
    }
}
