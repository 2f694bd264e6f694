package io.manafold.gdma;

/** The completion of an Ethernet receive: where its fields are and what their bits say. */
public final class ReceiveCompletion {
    public static final int FIRST = 0x00;
    public static final int FLAGS = 0x04;
    /** The first of {@link #MAX_PACKETS} entries of a packet. */
    public static final int PACKETS = 0x08;
    /** Bytes of such an entry. */
    public static final int PACKET = 12;
    /** 16 bits in the entry. */
    public static final int PACKET_LENGTH = 0;
    /** 32 bits in the entry. */
    public static final int PACKET_HASH = 8;
    /** How many packets one completion can tell of that has an entry for each. */
    public static final int MAX_PACKETS = 4;
    /** How many one can tell of in whose entries two share the room. */
    public static final int MOST_PACKETS = 2 * MAX_PACKETS;
    /** Byte offset of the request in its ring. */
    public static final int REQUEST_OFFSET = 0x38;

    /** Type: one packet. */
    public static final int OK = 1;
    /** Type: up to four packets. */
    public static final int COALESCED = 2;
    /** Type: everything before the fence is complete; no request was consumed. */
    public static final int FENCE = 3;
    /** Type: the frame was longer than its buffer. */
    public static final int TRUNCATED = 4;
    /** Type: up to eight packets, two in each entry. */
    public static final int COALESCED_8 = 7;

    /** Of {@link #FLAGS}: there was a tag, its id is in the low twelve bits. */
    public static final int TAGGED = 1 << 12;
    public static final int OUTER_IP_GOOD = 1 << 13;
    public static final int OUTER_IP_BAD = 1 << 14;
    /** Of {@link #FLAGS}: the IPv4 header is right; set for IPv6 as well, which has no checksum. */
    public static final int IP_GOOD = 1 << 25;
    public static final int IP_BAD = 1 << 26;
    public static final int TCP_GOOD = 1 << 27;
    public static final int TCP_BAD = 1 << 28;
    public static final int UDP_GOOD = 1 << 29;
    public static final int UDP_BAD = 1 << 30;

    private ReceiveCompletion() {
    }

    /** Flags of a packet; {@code checks} are of the constants above. */
    public static int flags(int checks, int hashType) {
        return checks | (hashType & 0x1ff) << 16;
    }

    /** Flags with the tag of a frame. */
    public static int tagged(int flags, int vlan) {
        return flags & ~0xfff | TAGGED | vlan & 0xfff;
    }

    /** The id of the tag. */
    public static int vlan(int flags) {
        return flags & 0xfff;
    }

    /** A type of {@link HashType}, 0 if nothing was hashed. */
    public static int hashType(int flags) {
        return flags >>> 16 & 0x1ff;
    }

    /** Whether a driver may take the transport checksum as checked. */
    public static boolean isChecked(int flags) {
        return (flags & IP_GOOD) != 0 && (flags & (TCP_GOOD | UDP_GOOD)) != 0;
    }

    /** Where the length of packet k is. */
    public static int lengthAt(int k) {
        return PACKETS + PACKET * k + PACKET_LENGTH;
    }

    /** Where the hash of packet k is. */
    public static int hashAt(int k) {
        return PACKETS + PACKET * k + PACKET_HASH;
    }

    /** Where the length of packet k is, if two share an entry: the lengths lie between the hashes. */
    public static int pairedLengthAt(int k) {
        return PACKETS + PACKET * (k >> 1) + Integer.BYTES + Short.BYTES * (k & 1);
    }

    /** Where the hash of packet k is, if two share an entry. */
    public static int pairedHashAt(int k) {
        return PACKETS + PACKET * (k >> 1) + PACKET_HASH * (k & 1);
    }
}
