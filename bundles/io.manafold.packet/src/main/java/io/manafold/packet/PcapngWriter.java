package io.manafold.packet;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;

/**
 * Writes a capture that other tools read: one section, its interfaces, one block a frame, times in nanoseconds. Blocks
 * are gathered and written when enough of them are there; {@link #flush} writes the rest. For one thread; allocates
 * nothing per frame.
 */
public final class PcapngWriter implements Closeable {
    private static final int SECTION = 0x0a0d0d0a;
    private static final int INTERFACE = 1;
    private static final int ENHANCED_PACKET = 6;
    private static final int BYTE_ORDER = 0x1a2b3c4d;
    private static final int ETHERNET = 1;

    private static final int OPTION_END = 0;
    private static final int OPTION_APPLICATION = 4;
    private static final int OPTION_NAME = 2;
    private static final int OPTION_RESOLUTION = 9;
    private static final int NANOS = 9;

    private static final int PACKET_FRAME = 32;

    private final WritableByteChannel channel;
    private final ByteBuffer buffer;
    private int interfaces;

    /**
     * Begins a section.
     *
     * @param application who writes it, for people
     * @param bufferBytes how much is gathered before it is written; blocks that are larger go out by themselves
     */
    public PcapngWriter(WritableByteChannel channel, String application, int bufferBytes) throws IOException {
        this.channel = channel;
        buffer = ByteBuffer.allocateDirect(Math.max(bufferBytes, 4096)).order(ByteOrder.LITTLE_ENDIAN);
        byte[] name = text(application);
        int size = 28 + option(name.length) + 4;
        begin(SECTION, size);
        buffer.putInt(BYTE_ORDER).putShort((short) 1).putShort((short) 0).putLong(-1);
        option(OPTION_APPLICATION, name);
        buffer.putInt(OPTION_END).putInt(size);
    }

    /**
     * Adds an interface.
     *
     * @param snap how many bytes of a frame are kept at most, 0 for all
     * @return its number in {@link #frame}
     */
    public int addInterface(String name, int snap) throws IOException {
        byte[] bytes = text(name);
        int size = 20 + option(bytes.length) + option(1) + 4;
        begin(INTERFACE, size);
        buffer.putShort((short) ETHERNET).putShort((short) 0).putInt(snap);
        option(OPTION_NAME, bytes);
        option(OPTION_RESOLUTION, new byte[] {NANOS});
        buffer.putInt(OPTION_END).putInt(size);
        return interfaces++;
    }

    /**
     * Adds a frame.
     *
     * @param nanos since 1970
     * @param bytes what of it was kept
     * @param original how many bytes it had
     */
    public void frame(int onInterface, long nanos, byte[] bytes, int offset, int kept, int original)
            throws IOException {
        int padded = kept + 3 & ~3;
        int size = PACKET_FRAME + padded;
        begin(ENHANCED_PACKET, size, PACKET_FRAME - 4);
        buffer.putInt(onInterface).putInt((int) (nanos >>> 32)).putInt((int) nanos).putInt(kept).putInt(original);
        int done = 0;
        while (done < kept) {
            if (!buffer.hasRemaining()) {
                flush();
            }
            int part = Math.min(kept - done, buffer.remaining());
            buffer.put(bytes, offset + done, part);
            done += part;
        }
        room(8);
        for (int i = kept; i < padded; i++) {
            buffer.put((byte) 0);
        }
        buffer.putInt(size);
    }

    private void begin(int type, int size) throws IOException {
        begin(type, size, size);
    }

    private void begin(int type, int size, int atOnce) throws IOException {
        room(atOnce);
        buffer.putInt(type).putInt(size);
    }

    private void room(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            flush();
        }
    }

    private static int option(int length) {
        return 4 + (length + 3 & ~3);
    }

    private void option(int code, byte[] value) {
        buffer.putShort((short) code).putShort((short) value.length).put(value);
        for (int i = value.length; (i & 3) != 0; i++) {
            buffer.put((byte) 0);
        }
    }

    private static byte[] text(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        return bytes.length <= 1024 ? bytes : java.util.Arrays.copyOf(bytes, 1024);
    }

    /** Writes what is gathered. */
    public void flush() throws IOException {
        buffer.flip();
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } finally {
            buffer.compact();
        }
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            flush();
        }
    }
}
