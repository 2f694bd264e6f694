package io.manafold.launcher.internal.lines;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * Lines of a stream, taken from it one at a time and not a byte more, so that a command finds the rest of the input
 * where its own line ended.
 */
public final class LineSource {
    private static final int LONGEST_LINE = 1 << 20;

    private final InputStream in;

    public LineSource(InputStream in) {
        this.in = in;
    }

    /** What is thrown for a line that goes on and on. */
    public static IOException tooLong(int most) {
        return new IOException("a line of the input has more than " + most + " bytes");
    }

    /** The next line without its end, or {@code null} after the last. */
    public String next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int value = in.read();
        if (value < 0) {
            return null;
        }
        while (value >= 0 && value != '\n') {
            if (line.size() == LONGEST_LINE) {
                throw tooLong(LONGEST_LINE);
            }
            line.write(value);
            value = in.read();
        }
        String text = line.toString(StandardCharsets.UTF_8);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }
}
