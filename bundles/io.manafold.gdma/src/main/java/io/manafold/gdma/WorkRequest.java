package io.manafold.gdma;

/**
 * A work request in a send or receive ring: an 8-byte head, the inline part, scatter-gather entries, padding to whole
 * units. The padding and, on receive rings, the inline part hold whatever was there before.
 */
public final class WorkRequest {
    /** The unit of work rings. */
    public static final int UNIT = 32;
    public static final int HEAD = 8;
    /** First word of the head. */
    public static final int WORD0 = 0x00;
    /** Second word of the head. */
    public static final int WORD1 = 0x04;
    /** Where the inline part begins. */
    public static final int INLINE = 0x08;
    public static final int INLINE_SHORT = 8;
    public static final int INLINE_LONG = 24;
    /** Of an RDMA write with immediate alone; its length does not follow from its code as the others' do. */
    public static final int INLINE_WIDE = 40;
    public static final int MAX_SEND = 512;
    public static final int MAX_RECEIVE = 256;
    public static final int MAX_SEND_PIECES = 30;
    public static final int MAX_RECEIVE_PIECES = 15;

    /** Bytes of a scatter-gather entry. */
    public static final int PIECE = 16;
    public static final int PIECE_ADDRESS = 0x00;
    public static final int PIECE_KEY = 0x08;
    public static final int PIECE_LENGTH = 0x0c;

    /** Of the second word: the client's part reaches into the scatter-gather list; set for segmentation. */
    public static final int SEGMENTED = 1 << 11;

    private static final int WIDE_CODE = 7;

    private WorkRequest() {
    }

    /** The first word: for segmentation the bytes of header in the first piece, else 0. */
    public static int word0(int headerBytes) {
        return headerBytes << 24;
    }

    /** The second word. {@code segment} is the payload of a segment, 0 without segmentation. */
    public static int word1(int pieces, int inlineBytes, boolean segmented, int segment) {
        int code = inlineBytes == INLINE_WIDE ? WIDE_CODE : inlineBytes >>> 2 & 7;
        return pieces & 0xff | code << 8 | (segmented ? SEGMENTED : 0) | (segment & 0x3fff) << 16;
    }

    /** Bytes of header that a request for segmentation has in its first piece. */
    public static int headerBytes(int word0) {
        return word0 >>> 24;
    }

    public static int pieces(int word1) {
        return word1 & 0xff;
    }

    /** Bytes of the inline part. */
    public static int inlineBytes(int word1) {
        int code = word1 >>> 8 & 7;
        return code == WIDE_CODE ? INLINE_WIDE : code << 2;
    }

    /** Whether the length of the inline part is one of the two that exist for all but RDMA writes with immediate. */
    public static boolean isInlineValid(int word1) {
        int inline = inlineBytes(word1);
        return inline == INLINE_SHORT || inline == INLINE_LONG;
    }

    public static boolean isSegmented(int word1) {
        return (word1 & SEGMENTED) != 0;
    }

    /** The payload of a segment. */
    public static int segment(int word1) {
        return word1 >>> 16 & 0x3fff;
    }

    /** Where the scatter-gather entries begin. */
    public static int firstPiece(int word1) {
        return HEAD + inlineBytes(word1);
    }

    /** The whole request in bytes, a multiple of a unit. */
    public static int size(int word1) {
        return size(pieces(word1), inlineBytes(word1));
    }

    /** The whole request in bytes, a multiple of a unit. */
    public static int size(int pieces, int inlineBytes) {
        return HEAD + inlineBytes + PIECE * pieces + UNIT - 1 & -UNIT;
    }
}
