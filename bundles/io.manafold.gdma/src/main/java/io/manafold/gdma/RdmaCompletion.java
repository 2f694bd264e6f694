package io.manafold.gdma;

/** A completion of RDMA: where its fields are, by type; the last word is that of every {@link CompletionEntry}. */
public final class RdmaCompletion {
    /** Type, and of errors the {@link VendorError}. */
    public static final int FIRST = 0x00;
    /** Of a receive: bytes of the message, of a datagram with the 40 bytes before it. */
    public static final int LENGTH = 0x04;
    /** Of {@link #ACKNOWLEDGED} and {@link #ERROR}: the number of messages that the peer has done, and the syndrome. */
    public static final int PROGRESS = 0x04;
    /** Of a datagram sent: as {@link SendCompletion#REQUEST}, and not looked at by drivers. */
    public static final int DATAGRAM_REQUEST = 0x04;
    /** 24 bits of packet number; of {@link #ERROR} with the packet's code in the highest byte. */
    public static final int PSN = 0x08;
    /** Of a datagram received: the sender's number, 24 bits. */
    public static final int PEER = 0x08;
    /** Of a receive: immediate, or the key that was lost. */
    public static final int IMMEDIATE = 0x0c;
    /** Of {@link #ERROR}: how many messages the responder has done, 24 bits. */
    public static final int RESPONDER_MESSAGES = 0x0c;
    /** Of a receive: bytes of requests before this one since the queue's first, modulo 2^32. */
    public static final int REQUEST_OFFSET = 0x10;
    /** Of {@link #ERROR}: the packet that the responder expects, 24 bits. */
    public static final int RESPONDER_PSN = 0x10;

    /** Type: a datagram, sent or received. */
    public static final int DATAGRAM = 1;
    public static final int SEND = 3;
    public static final int SEND_WITH_IMMEDIATE = 4;
    public static final int SEND_WITH_INVALIDATE = 5;
    public static final int WRITE_WITH_IMMEDIATE = 6;
    /** Type: a packet asked for with {@link Doorbell#ACKNOWLEDGED} has been; for the receive requester. */
    public static final int ACKNOWLEDGED = 7;
    /** Type: a request has failed, and all that are behind it on its side. */
    public static final int ERROR = 34;

    /** The syndrome of an acknowledgement without a limit of credits. */
    public static final int NO_CREDIT_LIMIT = 0x1f;
    /** Bytes before a datagram's payload: room for an IPv6 header. */
    public static final int DATAGRAM_HEADER = 40;
    /** Where in these an IPv4 header begins. */
    public static final int DATAGRAM_IPV4 = 20;

    private RdmaCompletion() {
    }

    /** The first word; {@code error} 0 but for {@link #ERROR}. */
    public static int first(int type, int error) {
        return type & 0xff | (error & 0x3ff) << 8;
    }

    public static int type(int first) {
        return first & 0xff;
    }

    /** The error in the first word of an {@link #ERROR}. */
    public static int error(int first) {
        return first >>> 8 & 0x3ff;
    }

    /** The error in the first word of a datagram sent, which drivers take for a {@link WorkStatus}. */
    public static int datagramStatus(int first) {
        return first >>> 8 & 0x1ff;
    }

    /** A number of 24 bits and a byte above it: messages and syndrome, packet and code. */
    public static int word(int number, int top) {
        return number & 0xff_ffff | top << 24;
    }

    public static int number(int word) {
        return word & 0xff_ffff;
    }

    public static int top(int word) {
        return word >>> 24;
    }

    /** Whether a syndrome acknowledges; drivers stop listening after any other in an {@link #ACKNOWLEDGED}. */
    public static boolean acknowledges(int syndrome) {
        return (syndrome & 0xe0) == 0;
    }

    /** The type in words. */
    public static String name(int type) {
        return switch (type) {
            case DATAGRAM -> "datagram";
            case SEND -> "send";
            case SEND_WITH_IMMEDIATE -> "send-with-immediate";
            case SEND_WITH_INVALIDATE -> "send-with-invalidate";
            case WRITE_WITH_IMMEDIATE -> "write-with-immediate";
            case ACKNOWLEDGED -> "acknowledged";
            case ERROR -> "error";
            default -> "completion-" + type;
        };
    }
}
