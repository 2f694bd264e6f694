package io.manafold.gdma;

/**
 * The last 16 bytes of the region of a send requester, behind its ring: where the work lies that is posted and not
 * complete. Written by drivers; both offsets are in units of a work ring and never reduced by its length.
 */
public final class RollbackTrailer {
    public static final int SIZE = 16;
    public static final int SIGNATURE = 0x00;
    /** 32 bits, {@link #SIZE}. */
    public static final int LENGTH = 0x04;
    /** Behind the request that was completed last. */
    public static final int LEFT = 0x08;
    /** Where the request begins that was posted last. */
    public static final int RIGHT = 0x0c;

    /** The bytes {@code RLBK}. */
    public static final int MAGIC = 0x4b42_4c52;

    private RollbackTrailer() {
    }

    /** The bytes of the ring in a region: the largest power of two that fits, 0 for an empty region. */
    public static long ringBytes(long regionBytes) {
        return regionBytes < 0 ? 1L << 62 : Long.highestOneBit(regionBytes);
    }
}
