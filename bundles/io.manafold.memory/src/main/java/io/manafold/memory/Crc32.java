package io.manafold.memory;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The CRC of Ethernet over native memory, with the instructions of the processor; for one thread. The memory is our
 * own: it must not be a file that others can shorten (see {@link RawMemory}).
 */
public final class Crc32 {
    /** The most bytes of one step. */
    public static final int MOST = 1 << 29;

    private static final int WINDOW_BITS = 30;
    private static final int WINDOW_BYTES = (1 << WINDOW_BITS) + MOST;
    private static final int WINDOWS = 16;

    private final CRC32 crc = new CRC32();
    /** Each longer than its part of all addresses, so that whatever begins there lies in it as a whole. */
    private final ByteBuffer[] windows = new ByteBuffer[WINDOWS];
    private final long[] numbers = new long[WINDOWS];

    /** Begins anew. */
    public void reset() {
        crc.reset();
    }

    /** The CRC of all bytes since {@link #reset}. */
    public int value() {
        return (int) crc.getValue();
    }

    /** Adds bytes of an array. */
    public void update(byte[] bytes, int offset, int length) {
        crc.update(bytes, offset, length);
    }

    /** Adds bytes of memory that cannot vanish, at most {@link #MOST}. */
    public void update(long address, int length) {
        if (length > MOST) {
            throw new IllegalArgumentException("%d bytes are more than %d".formatted(length, MOST));
        }
        long number = address >>> WINDOW_BITS;
        ByteBuffer window = window(number);
        int offset = (int) (address - (number << WINDOW_BITS));
        window.limit(offset + length).position(offset);
        crc.update(window);
    }

    private ByteBuffer window(long number) {
        int slot = (int) number & WINDOWS - 1;
        ByteBuffer window = windows[slot];
        if (window == null || numbers[slot] != number) {
            window = RawMemory.segment(number << WINDOW_BITS, WINDOW_BYTES).asByteBuffer();
            windows[slot] = window;
            numbers[slot] = number;
        }
        return window;
    }
}
