package io.manafold.launcher.internal.attach;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What a client wants.
 *
 * @param terminal the type of its terminal, for a prompt
 * @param line the commands to carry out, for {@link Mode#LINE}
 */
record Hello(Mode mode, int columns, int rows, String terminal, String line) {
    private static final int VERSION = 1;
    private static final int LONGEST_TERMINAL = 64;

    /** Where the session's commands come from. */
    enum Mode {
        LINE, INPUT, PROMPT
    }

    Frame frame() {
        byte[] type = terminal.getBytes(StandardCharsets.UTF_8);
        byte[] commands = line.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(8 + type.length + commands.length);
        bytes.put((byte) VERSION).put((byte) mode.ordinal()).putShort((short) columns).putShort((short) rows);
        bytes.putShort((short) type.length).put(type).put(commands);
        return new Frame(FrameType.HELLO, bytes.array());
    }

    /** How long a line can be in a frame beside a terminal's type. */
    static int longestLine() {
        return Frame.LONGEST_PAYLOAD - LONGEST_TERMINAL - 8;
    }

    static Hello of(Frame frame) throws ProtocolException {
        if (frame.type() != FrameType.HELLO) {
            throw new ProtocolException("the first frame is " + frame.type() + ", not " + FrameType.HELLO);
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(frame.payload());
            int version = bytes.get();
            if (version != VERSION) {
                throw new ProtocolException("the client speaks version " + version + " of the protocol, the platform "
                        + VERSION);
            }
            int mode = bytes.get();
            if (mode < 0 || mode >= Mode.values().length) {
                throw new ProtocolException("there is no session of the kind " + mode);
            }
            int columns = Short.toUnsignedInt(bytes.getShort());
            int rows = Short.toUnsignedInt(bytes.getShort());
            byte[] type = new byte[Math.min(Short.toUnsignedInt(bytes.getShort()), bytes.remaining())];
            bytes.get(type);
            byte[] commands = new byte[bytes.remaining()];
            bytes.get(commands);
            return new Hello(Mode.values()[mode], columns, rows, plainType(type),
                    new String(commands, StandardCharsets.UTF_8));
        } catch (BufferUnderflowException e) {
            throw new ProtocolException("the first frame is too short");
        }
    }

    /** The type ends up as the name of a file and as an argument: it is let through only if it looks like one. */
    private static String plainType(byte[] bytes) {
        String type = new String(bytes, StandardCharsets.UTF_8);
        return type.length() <= LONGEST_TERMINAL && type.matches("[A-Za-z0-9][A-Za-z0-9+._-]*") ? type : "dumb";
    }
}
