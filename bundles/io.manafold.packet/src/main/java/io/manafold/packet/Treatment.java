package io.manafold.packet;

/**
 * How a frame is to be treated on the way: its class, by which links ask ports to pause ({@link PauseFrame}), and
 * whether it may be told of congestion. Ports and links read both here, so that they agree on each frame. It reads from
 * a copy, trusts nothing, and is used again for the next frame.
 */
public final class Treatment {
    /** As many bytes of a frame tell everything: its addresses, two tags, its type, and two bytes of an IP header. */
    public static final int HEAD = 24;

    private static final int TYPE_AT = 12;
    private static final int ETHERNET = 14;
    private static final int TAG = 4;
    private static final int MOST_TAGS = 2;
    private static final int IPV4 = 20;
    private static final int IPV6 = 40;
    private static final int ECN = 3;

    private int network;
    private int version;
    /** Traffic class or type of service: DSCP and ECN. */
    private int octet;
    private int priority;

    /**
     * Looks at a frame.
     *
     * @param head holds its first {@link #HEAD} bytes, or all if it is shorter
     * @param offset where it begins there
     * @param length of the whole frame
     */
    public void look(byte[] head, int offset, int length) {
        network = 0;
        version = 0;
        octet = 0;
        priority = 0;
        if (length < ETHERNET) {
            return;
        }
        int type = u16(head, offset + TYPE_AT);
        int header = ETHERNET;
        for (int tags = 0; tags < MOST_TAGS && EtherType.isTag(type) && header + TAG <= length; tags++) {
            if (tags == 0) {
                priority = (head[offset + header] & 0xff) >>> 5;
            }
            type = u16(head, offset + header + 2);
            header += TAG;
        }
        network = header;
        int left = length - header;
        if (type == EtherType.IPV4 && left >= IPV4) {
            int first = head[offset + header] & 0xff;
            int size = (first & 0xf) * 4;
            if (first >>> 4 == 4 && size >= IPV4 && size <= left) {
                version = 4;
                octet = head[offset + header + 1] & 0xff;
            }
        } else if (type == EtherType.IPV6 && left >= IPV6 && (head[offset + header] & 0xff) >>> 4 == 6) {
            version = 6;
            octet = u16(head, offset + header) >>> 4 & 0xff;
        }
    }

    private static int u16(byte[] from, int at) {
        return (from[at] & 0xff) << 8 | from[at + 1] & 0xff;
    }

    /** Where what Ethernet carries begins in the frame. */
    public int network() {
        return network;
    }

    /** 4, 6, or 0 for what is no sound IP header. */
    public int version() {
        return version;
    }

    /** Its class, 0 to 7. */
    public int trafficClass() {
        return version == 0 ? priority : octet >>> 5;
    }

    /** Whether both ends of its flow understand marks, and it has none yet. */
    public boolean isCapable() {
        int ecn = octet & ECN;
        return version != 0 && ecn != 0 && ecn != ECN;
    }
}
