package io.manafold.packet;

import java.util.Arrays;

/**
 * A pause frame of priority-based flow control, IEEE 802.1Qbb: which classes of frames a port shall stop sending, and
 * for how long. It reads from a copy, trusts nothing, and is used again for the next frame.
 *
 * <p>The class of a frame, 0 to 7, is the upper three bits of its DSCP if it is an IP packet, with or without a tag;
 * the priority of its tag if it is something else with one; otherwise 0: {@link Treatment} tells it. Times are quanta
 * of {@link #QUANTUM_BITS} bits at the rate of the link.
 *
 * <pre>{@code
 * if (pause.parse(head, 0, count)) {
 *     for (int of = 0; of < PauseFrame.CLASSES; of++) {
 *         if (pause.tells(of)) {
 *             until[of] = now + PauseFrame.nanos(pause.quanta(of), wire.rate());
 *         }
 *     }
 * }
 * }</pre>
 */
public final class PauseFrame {
    /** Where pause frames go: the next device, which never passes them on. */
    public static final long DESTINATION = 0x0180_c200_0001L;
    /** How many classes there are. */
    public static final int CLASSES = 8;
    /** Bits in one quantum of time. */
    public static final int QUANTUM_BITS = 512;
    /** The longest time. */
    public static final int MOST_QUANTA = 0xffff;
    /** The bytes that say everything; zeros follow. */
    public static final int HEAD = 34;
    /** The bytes of one that is written here. */
    public static final int LENGTH = 60;

    private static final int OPCODE = 0x0101;
    private static final int SOURCE_AT = 6;
    private static final int TYPE_AT = 12;
    private static final int OPCODE_AT = 14;
    private static final int ENABLE_AT = 16;
    private static final int TIMES_AT = 18;

    private final int[] quanta = new int[CLASSES];
    private int enabled;

    /**
     * Looks at a frame.
     *
     * @param from what holds its first bytes
     * @param offset where it begins there
     * @param count how many of its bytes are there; {@link #HEAD} are enough
     * @return whether it is a whole pause frame; if not, it tells nothing of any class
     */
    public boolean parse(byte[] from, int offset, int count) {
        enabled = 0;
        if (offset < 0 || Math.min(count, from.length - offset) < HEAD
                || ((long) u16(from, offset) << 32 | (long) u16(from, offset + 2) << 16 | u16(from, offset + 4))
                        != DESTINATION
                || u16(from, offset + TYPE_AT) != EtherType.MAC_CONTROL || u16(from, offset + OPCODE_AT) != OPCODE) {
            return false;
        }
        // the upper half is reserved
        enabled = u16(from, offset + ENABLE_AT) & 0xff;
        for (int of = 0; of < CLASSES; of++) {
            quanta[of] = u16(from, offset + TIMES_AT + 2 * of);
        }
        return true;
    }

    /** Whether it says something about a class. */
    public boolean tells(int of) {
        return (enabled >>> of & 1) != 0;
    }

    /** For how long frames of a class shall not be sent, counted from its arrival; 0: they may be sent again. */
    public int quanta(int of) {
        return tells(of) ? quanta[of] : 0;
    }

    /** Quanta as nanoseconds, at a rate in bit/s; 0 without a rate. */
    public static long nanos(int quanta, long rate) {
        return rate <= 0 ? 0 : (long) ((double) quanta * QUANTUM_BITS * 1_000_000_000 / rate);
    }

    /**
     * Writes one of {@link #LENGTH} bytes.
     *
     * @param source the address of the port that sends it
     * @param stop the classes that shall stop, a bit each, for the longest time
     * @param go the classes that may go on, a bit each
     */
    public static void write(byte[] to, int offset, long source, int stop, int go) {
        Arrays.fill(to, offset, offset + LENGTH, (byte) 0);
        put48(to, offset, DESTINATION);
        put48(to, offset + SOURCE_AT, source);
        put16(to, offset + TYPE_AT, EtherType.MAC_CONTROL);
        put16(to, offset + OPCODE_AT, OPCODE);
        put16(to, offset + ENABLE_AT, (stop | go) & 0xff);
        for (int of = 0; of < CLASSES; of++) {
            put16(to, offset + TIMES_AT + 2 * of, (stop >>> of & 1) != 0 ? MOST_QUANTA : 0);
        }
    }

    private static int u16(byte[] from, int at) {
        return (from[at] & 0xff) << 8 | from[at + 1] & 0xff;
    }

    private static void put16(byte[] to, int at, int value) {
        to[at] = (byte) (value >>> 8);
        to[at + 1] = (byte) value;
    }

    private static void put48(byte[] to, int at, long value) {
        put16(to, at, (int) (value >>> 32));
        put16(to, at + 2, (int) (value >>> 16));
        put16(to, at + 4, (int) value);
    }
}
