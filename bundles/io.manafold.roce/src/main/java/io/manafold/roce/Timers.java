package io.manafold.roce;

/** The coded times of a reliable connection. */
public final class Timers {
    /** Codes have five bits. */
    public static final int CODES = 32;

    private static final long ACKNOWLEDGE = 4096;
    private static final long RNR_UNIT = 10_000;

    /** In units of 10 µs. */
    private static final int[] RNR = {65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768,
            1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};

    private Timers() {
    }

    /** How long a requester waits for an acknowledgement, 4.096 µs × 2^exponent; 0 if it waits for ever. */
    public static long acknowledgeNanos(int exponent) {
        int code = exponent & CODES - 1;
        return code == 0 ? 0 : ACKNOWLEDGE << code;
    }

    /** How long a requester waits after it was told that the receiver is not ready. */
    public static long rnrNanos(int code) {
        return RNR[code & CODES - 1] * RNR_UNIT;
    }
}
