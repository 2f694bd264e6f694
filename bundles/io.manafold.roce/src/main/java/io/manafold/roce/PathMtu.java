package io.manafold.roce;

/** How much payload a packet of a path carries: 256 to 4096 bytes, in commands and messages coded as 1 to 5. */
public final class PathMtu {
    /** The smallest code. */
    public static final int LEAST = 1;
    /** The largest code. */
    public static final int MOST = 5;
    /** What connection management sets aside for headers in the frames of a device. */
    public static final int HEADERS = 96;

    private static final int SMALLEST = 128;

    private PathMtu() {
    }

    public static boolean isValid(int code) {
        return code >= LEAST && code <= MOST;
    }

    /** Bytes of a code. */
    public static int bytes(int code) {
        if (!isValid(code)) {
            throw new IllegalArgumentException("path MTUs are coded as 1 to 5, not " + code);
        }
        return SMALLEST << code;
    }

    /** The code of 256, 512, 1024, 2048 or 4096 bytes. */
    public static int code(int bytes) {
        int code = Integer.numberOfTrailingZeros(bytes) - Integer.numberOfTrailingZeros(SMALLEST);
        if (Integer.bitCount(bytes) != 1 || !isValid(code)) {
            throw new IllegalArgumentException("a path MTU is 256, 512, 1024, 2048 or 4096 bytes, not " + bytes);
        }
        return code;
    }

    /** The largest path MTU of at most so many bytes, 0 if there is none. */
    public static int below(int frameBytes) {
        if (frameBytes < bytes(LEAST)) {
            return 0;
        }
        return Math.min(Integer.highestOneBit(frameBytes), bytes(MOST));
    }
}
