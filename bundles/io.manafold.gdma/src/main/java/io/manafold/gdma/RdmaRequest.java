package io.manafold.gdma;

/**
 * A request in a send ring of RDMA: the words of its head and its inline part, by their offset in the request. The
 * inline part has 24 bytes, that of {@link #WRITE_WITH_IMMEDIATE} 40.
 */
public final class RdmaRequest {
    /** Operation, flags, first packet. */
    public static final int CONTROL = 0x08;
    /** Number of the request, 24 bits, 1 for the first of a connection. */
    public static final int SEQUENCE = 0x0c;
    /** Of a send: immediate, or the key that the peer loses. */
    public static final int IMMEDIATE = 0x10;
    /** Of writes and reads: the upper half of the peer's address. */
    public static final int REMOTE_HIGH = 0x10;
    public static final int REMOTE_LOW = 0x14;
    public static final int REMOTE_KEY = 0x18;
    /** Of writes and reads: bytes in all. */
    public static final int LENGTH = 0x1c;
    /** Of a write with immediate: the first of four words, the other three 0. */
    public static final int WIDE_IMMEDIATE = 0x20;

    /** Of a datagram: the peer's number, 24 bits. */
    public static final int DATAGRAM_PEER = 0x0c;
    public static final int DATAGRAM_QUEUE_KEY = 0x10;
    public static final int DATAGRAM_IMMEDIATE = 0x14;

    public static final int DATAGRAM = 0;
    public static final int DATAGRAM_WITH_IMMEDIATE = 1;
    public static final int SEND = 2;
    public static final int SEND_WITH_IMMEDIATE = 3;
    public static final int SEND_WITH_INVALIDATE = 4;
    public static final int WRITE = 5;
    public static final int WRITE_WITH_IMMEDIATE = 6;
    public static final int READ = 7;
    public static final int LOCAL_INVALIDATE = 10;
    public static final int REGISTER = 11;

    /** Of {@link #CONTROL}: waits for all earlier reads. */
    public static final int FENCE = 1 << 5;
    /** Of {@link #CONTROL}: a completion is wanted; what decides is the doorbell {@link Doorbell#ACKNOWLEDGED}. */
    public static final int SIGNALED = 1 << 6;
    /** Of {@link #CONTROL}: the peer shall be woken. */
    public static final int SOLICITED = 1 << 7;

    /** Of the second word: whether it must come in the order of requests; drivers set it by operation. */
    public static final int CHECK_SEQUENCE = 1 << 30;
    /** Of the second word: the first piece is an {@link AddressVector}. */
    public static final int HAS_ADDRESS = WorkRequest.SEGMENTED;

    /** The address of the piece that stands for an empty list; its key and length are 0. */
    public static final long NO_PIECE = 1;

    private RdmaRequest() {
    }

    /** Bytes of the inline part that an operation has. */
    public static int inlineBytes(int operation) {
        return operation == WRITE_WITH_IMMEDIATE ? WorkRequest.INLINE_WIDE : WorkRequest.INLINE_LONG;
    }

    /** How many empty pieces a driver puts behind the list so that it ends with a unit: 0 or 1. */
    public static int padding(int pieces, int inlineBytes) {
        int end = WorkRequest.HEAD + inlineBytes + WorkRequest.PIECE * pieces;
        return (-end & WorkRequest.UNIT - 1) / WorkRequest.PIECE;
    }

    /** How many of the pieces that the second word counts are empty, of the first word. */
    public static int padding(int word0) {
        return word0 & 0x1f;
    }

    /** The second word; {@code pieces} with the padding. */
    public static int word1(int operation, int pieces, int mtu) {
        boolean checks = operation >= SEND && operation <= SEND_WITH_INVALIDATE || operation == WRITE_WITH_IMMEDIATE;
        return WorkRequest.word1(pieces, inlineBytes(operation), operation <= DATAGRAM_WITH_IMMEDIATE, mtu)
                | (checks ? CHECK_SEQUENCE : 0);
    }

    /** Pieces that carry something, at least 0 whatever the words say; may still be one of length 0. */
    public static int pieces(int word0, int word1) {
        return Math.max(0, WorkRequest.pieces(word1) - padding(word0));
    }

    /** The largest payload of a packet, of the second word. */
    public static int mtu(int word1) {
        return WorkRequest.segment(word1);
    }

    public static boolean hasAddress(int word1) {
        return (word1 & HAS_ADDRESS) != 0;
    }

    /** The control word; {@code flags} are of the constants above. */
    public static int control(int operation, int flags, int psn) {
        return operation & 0x1f | flags & (FENCE | SIGNALED | SOLICITED) | psn << 8;
    }

    public static int operation(int control) {
        return control & 0x1f;
    }

    public static boolean isFenced(int control) {
        return (control & FENCE) != 0;
    }

    public static boolean isSignaled(int control) {
        return (control & SIGNALED) != 0;
    }

    public static boolean isSolicited(int control) {
        return (control & SOLICITED) != 0;
    }

    /** The number of the first packet, chosen by the driver. */
    public static int psn(int control) {
        return control >>> 8;
    }

    /** 24 bits of a word: a request's number, a peer's number. */
    public static int number(int word) {
        return word & 0xff_ffff;
    }

    public static long remoteAddress(int high, int low) {
        return (long) high << 32 | low & 0xffff_ffffL;
    }

    /** How many packet numbers a message takes; a read those of its answers. */
    public static int packets(int length, int mtu) {
        return length == 0 ? 1 : (int) ((Integer.toUnsignedLong(length) + mtu - 1) / mtu);
    }

    /** An operation in words. */
    public static String name(int operation) {
        return switch (operation) {
            case DATAGRAM -> "datagram";
            case DATAGRAM_WITH_IMMEDIATE -> "datagram-with-immediate";
            case SEND -> "send";
            case SEND_WITH_IMMEDIATE -> "send-with-immediate";
            case SEND_WITH_INVALIDATE -> "send-with-invalidate";
            case WRITE -> "write";
            case WRITE_WITH_IMMEDIATE -> "write-with-immediate";
            case READ -> "read";
            case LOCAL_INVALIDATE -> "local-invalidate";
            case REGISTER -> "register";
            default -> "operation-" + operation;
        };
    }
}
