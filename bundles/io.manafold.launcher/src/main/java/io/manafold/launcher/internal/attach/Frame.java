package io.manafold.launcher.internal.attach;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;

/**
 * One message of the attach protocol. On the wire: the type in 8 bits, the length in 32 (most significant byte first),
 * and as many bytes.
 */
record Frame(FrameType type, byte[] payload) {
    static final int LONGEST_PAYLOAD = 1 << 16;

    private static final int HEADER = 5;

    Frame {
        if (payload.length > LONGEST_PAYLOAD) {
            throw new IllegalArgumentException("a frame carries at most " + LONGEST_PAYLOAD + " bytes");
        }
    }

    static Frame empty(FrameType type) {
        return new Frame(type, new byte[0]);
    }

    static Frame number(FrameType type, int value) {
        return new Frame(type, ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
    }

    static Frame text(FrameType type, String text) {
        return new Frame(type, text.getBytes(StandardCharsets.UTF_8));
    }

    static Frame window(int columns, int rows) {
        return new Frame(FrameType.WINDOW, ByteBuffer.allocate(2 * Short.BYTES)
                .putShort((short) columns).putShort((short) rows).array());
    }

    /**
     * Reads a frame that the client, or else the server, has sent.
     *
     * @return {@code null} if the other side closed between two frames
     * @throws ProtocolException if these bytes are no frame, or not one of that side
     */
    static Frame read(ReadableByteChannel in, boolean fromClient) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(HEADER);
        if (in.read(header) < 0) {
            return null;
        }
        fill(in, header);
        header.flip();
        int code = header.get() & 0xff;
        FrameType type = FrameType.of(code);
        if (type == null || type.fromClient() != fromClient) {
            throw new ProtocolException("a frame of the type " + code + " is none of this side's");
        }
        int length = header.getInt();
        if (length < 0 || length > LONGEST_PAYLOAD) {
            throw new ProtocolException("a frame says that it has " + Integer.toUnsignedLong(length)
                    + " bytes; at most " + LONGEST_PAYLOAD + " are allowed");
        }
        ByteBuffer payload = ByteBuffer.allocate(length);
        fill(in, payload);
        return new Frame(type, payload.array());
    }

    void write(WritableByteChannel out) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(HEADER + payload.length);
        bytes.put((byte) type.code()).putInt(payload.length).put(payload).flip();
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    /** The number that the payload is. */
    int number() throws ProtocolException {
        return exactly(Integer.BYTES).getInt();
    }

    /** Columns and rows that the payload is. */
    int[] window() throws ProtocolException {
        ByteBuffer bytes = exactly(2 * Short.BYTES);
        return new int[] {Short.toUnsignedInt(bytes.getShort()), Short.toUnsignedInt(bytes.getShort())};
    }

    String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    private ByteBuffer exactly(int length) throws ProtocolException {
        if (payload.length != length) {
            throw new ProtocolException(
                    "a frame " + type + " has " + length + " bytes, not " + payload.length);
        }
        return ByteBuffer.wrap(payload);
    }

    private static void fill(ReadableByteChannel in, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            if (in.read(bytes) < 0) {
                throw new ProtocolException("the other side closed in the middle of a frame");
            }
        }
    }
}
