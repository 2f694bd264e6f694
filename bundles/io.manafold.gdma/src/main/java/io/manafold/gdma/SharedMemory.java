package io.manafold.gdma;

/**
 * The shared-memory channel: eight words in the register window through which a driver has the hardware channel set up
 * and torn down. The last word says what is asked and whose turn it is.
 */
public final class SharedMemory {
    /** Words of the aperture. */
    public static final int WORDS = 8;
    /** Offset of the header word in the aperture. */
    public static final int HEADER = 0x1c;

    public static final int ESTABLISH = 1;
    public static final int DESTROY = 2;

    /** Of the header: a response. */
    public static final int RESPONSE = 1 << 7;
    /** Of the header: reset the function with the operation. */
    public static final int RESET = 1 << 24;
    /** Of the header: the device's turn. */
    public static final int DEVICE_OWNS = 1 << 31;

    public static final int STATUS_OK = 0;
    /** An operation was not understood. */
    public static final int STATUS_INVALID = 1;
    /** An operation was understood and could not be done. */
    public static final int STATUS_FAILED = 2;

    private SharedMemory() {
    }

    /** The header of a request. */
    public static int request(int type) {
        return type & 7;
    }

    /** The header of a response. */
    public static int response(int type, int status) {
        return type & 7 | RESPONSE | (status & 0xff) << 8;
    }

    public static int type(int header) {
        return header & 7;
    }

    public static int version(int header) {
        return header >>> 3 & 7;
    }

    public static boolean isResponse(int header) {
        return (header & RESPONSE) != 0;
    }

    public static int status(int header) {
        return header >>> 8 & 0xff;
    }

    public static boolean deviceOwns(int header) {
        return header < 0;
    }

    /**
     * What a driver asks for with {@link #ESTABLISH}: one page for each of the four queues of the hardware channel.
     *
     * @param eventQueue DMA address, a multiple of 4096, as the others are
     * @param vector the interrupt of the event queue
     */
    public record Establish(long eventQueue, long completionQueue, long receiveQueue, long sendQueue, int vector) {
        /** Reads the eight words; what is not asked about, the header, is not looked at. */
        public static Establish decode(int[] words) {
            return new Establish(frame(words, 0), frame(words, 1), frame(words, 2), frame(words, 3), words[6] >>> 16);
        }

        private static long frame(int[] words, int which) {
            long frame = 0;
            for (int half = 2; half >= 0; half--) {
                int at = which * 3 + half;
                frame = frame << 16 | words[at >> 1] >>> (at & 1) * 16 & 0xffff;
            }
            frame |= (long) (words[6] >>> which * 4 & 0xf) << 48;
            return frame << 12;
        }

        /** The eight words, the header among them. */
        public int[] encode() {
            int[] words = new int[WORDS];
            long[] frames = {eventQueue >>> 12, completionQueue >>> 12, receiveQueue >>> 12, sendQueue >>> 12};
            for (int which = 0; which < frames.length; which++) {
                for (int half = 0; half < 3; half++) {
                    int at = which * 3 + half;
                    words[at >> 1] |= (int) (frames[which] >>> half * 16 & 0xffff) << (at & 1) * 16;
                }
                words[6] |= (int) (frames[which] >>> 48 & 0xf) << which * 4;
            }
            words[6] |= vector << 16;
            words[7] = request(ESTABLISH);
            return words;
        }
    }
}
