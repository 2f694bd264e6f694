package io.manafold.gdma;

/**
 * A request in a receive ring of RDMA, with the short inline part: a receive, whose inline part says nothing, or the
 * place where a read lands.
 */
public final class RdmaReceiveRequest {
    /** Of a landing: the read's first packet, 24 bits. */
    public static final int PSN = 0x08;
    /** Of a landing: 24 bits, 0. */
    public static final int PSN_RANGE = 0x0c;

    private RdmaReceiveRequest() {
    }

    /** The second word of a receive. */
    public static int receive(int pieces) {
        return WorkRequest.word1(pieces, WorkRequest.INLINE_SHORT, false, 0);
    }

    /** The second word of a place for a read. */
    public static int landing(int pieces) {
        return receive(pieces) | RdmaRequest.CHECK_SEQUENCE;
    }

    /** Whether the second word is that of a place for a read. */
    public static boolean isLanding(int word1) {
        return (word1 & RdmaRequest.CHECK_SEQUENCE) != 0;
    }

    /** The read's first packet. */
    public static int psn(int word) {
        return word & 0xff_ffff;
    }
}
