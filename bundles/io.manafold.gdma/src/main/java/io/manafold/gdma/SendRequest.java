package io.manafold.gdma;

/** The inline part of an Ethernet send request: the two words of the short form, the four more of the long form. */
public final class SendRequest {
    /** First word of the short form, in the request. */
    public static final int FLAGS = 0x08;
    /** Second word of the short form, in the request. */
    public static final int PLACE = 0x0c;
    /** First word of the long form, in the request: encapsulation and tag. */
    public static final int TAG = 0x10;
    /** Second word of the long form, in the request: inner offsets and the wide vPort offset. */
    public static final int WIDE = 0x14;

    /** Of {@link #FLAGS}, bits 1 and 0: 1 if the long form follows. */
    public static final int LONG_FORM = 1;
    /** Of {@link #FLAGS}: the outer header is IPv4. */
    public static final int IPV4 = 1 << 2;
    /** Of {@link #FLAGS}: the outer header is IPv6. */
    public static final int IPV6 = 1 << 3;
    /** Of {@link #FLAGS}: compute the checksum of the IPv4 header. */
    public static final int IP_CHECKSUM = 1 << 4;
    /** Of {@link #FLAGS}: compute the checksum of TCP. */
    public static final int TCP_CHECKSUM = 1 << 5;
    /** Of {@link #FLAGS}: compute the checksum of UDP. */
    public static final int UDP_CHECKSUM = 1 << 6;
    /** Of {@link #FLAGS}: no completion is wanted. */
    public static final int SUPPRESS_COMPLETION = 1 << 7;

    /** Of {@link #TAG}: the frame is encapsulated in another. */
    public static final int ENCAPSULATED = 1;
    /** Of {@link #TAG}: put a tag behind the addresses. */
    public static final int INJECT_TAG = 1 << 3;

    private SendRequest() {
    }

    /** The first word; {@code flags} are of the constants above. */
    public static int flags(int flags, int completionQueue) {
        return flags & 0xff | completionQueue << 8;
    }

    /** 0 for the short form, 1 for the long one; 2 and 3 do not exist. */
    public static int format(int flags) {
        return flags & 3;
    }

    public static int completionQueue(int flags) {
        return flags >>> 8;
    }

    /** The second word; a vPort offset above 255 goes into {@link #wide} instead. */
    public static int place(int transportOffset, int sendQueue, int vportOffset) {
        int low = vportOffset > 255 ? 0 : vportOffset;
        return transportOffset & 0x3ff | sendQueue & 0xff_fc00 | low << 24;
    }

    /** Where the transport header begins in the frame; 0 for UDP, where it is to be found. */
    public static int transportOffset(int place) {
        return place & 0x3ff;
    }

    /** Bits 23 to 10 of the send queue's id, in their place. */
    public static int sendQueueBits(int place) {
        return place & 0xff_fc00;
    }

    /** Whether the word names a queue of this id, as far as its bits reach. */
    public static boolean namesQueue(int place, int sendQueue) {
        return sendQueueBits(place) == (sendQueue & 0xff_fc00);
    }

    /** The vPort offset of the short form. */
    public static int vportOffset(int place) {
        return place >>> 24;
    }

    /** The word of the long form that has a tag put into the frame; {@code tag} as it goes over the wire. */
    public static int tag(int tag) {
        return INJECT_TAG | tag >>> 13 << 16 & 0x7_0000 | (tag >>> 12 & 1) << 19 | (tag & 0xfff) << 20;
    }

    public static boolean injectsTag(int word) {
        return (word & INJECT_TAG) != 0;
    }

    /** The tag to inject as it goes over the wire: priority, drop eligible, id. */
    public static int tagOf(int word) {
        return (word >>> 16 & 7) << 13 | (word >>> 19 & 1) << 12 | word >>> 20;
    }

    /** The last word in use of the long form: a vPort offset above 255, else 0. */
    public static int wide(int vportOffset) {
        return vportOffset > 255 ? (vportOffset & 0xfff) << 16 : 0;
    }

    /** The vPort offset of the long form. */
    public static int wideVportOffset(int word) {
        return word >>> 16 & 0xfff;
    }
}
