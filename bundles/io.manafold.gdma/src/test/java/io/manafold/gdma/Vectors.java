package io.manafold.gdma;

import io.manafold.gdma.message.Message;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/** Bytes as they are written down. */
public final class Vectors {
    private Vectors() {
    }

    /** From hexadecimal digits with spaces anywhere. */
    public static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    }

    public static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    public static int[] words(String hex) {
        byte[] bytes = bytes(hex);
        int[] words = new int[bytes.length / 4];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(words);
        return words;
    }

    public static String hex(int... words) {
        ByteBuffer buffer = ByteBuffer.allocate(words.length * 4).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asIntBuffer().put(words);
        return hex(buffer.array());
    }

    public static Message message(String hex) {
        byte[] bytes = bytes(hex);
        return new Message(bytes, bytes.length);
    }

    public static String hex(Message message) {
        return HexFormat.of().formatHex(message.bytes(), 0, message.length());
    }
}
