package io.manafold.hostile;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** An input of several parts, each behind its length in two bytes; the last one ends where the input does. */
public final class Parts {
    private Parts() {
    }

    public static List<byte[]> of(byte[] input) {
        List<byte[]> parts = new ArrayList<>();
        for (int at = 0; at + 2 <= input.length;) {
            int end = at + 2 + (input[at] & 0xff | (input[at + 1] & 0xff) << 8);
            parts.add(Arrays.copyOfRange(input, at + 2, Math.min(end, input.length)));
            at = end;
        }
        return parts;
    }

    public static byte[] joined(List<byte[]> parts) {
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            input.write(part.length);
            input.write(part.length >> 8);
            input.writeBytes(part);
        }
        return input.toByteArray();
    }
}
