package io.manafold.launcher.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * What is typed while a command reads: by lines, shown as they are typed, since the terminal stays as it is at a question and shows
 * nothing itself. Backspace takes a character back, Ctrl-U the line, and Ctrl-D in an empty line ends the input for that once.
 */
public final class TypedLines extends InputStream {
    private static final int LONGEST = 4096;
    private static final int END = 4;
    private static final int BACKSPACE = 8;
    private static final int TAKE_LINE_BACK = 21;
    private static final int ESCAPE = 27;
    private static final int DELETE = 127;
    private static final byte[] ERASE = "\b \b".getBytes(StandardCharsets.US_ASCII);

    private final InputStream keys;
    private final OutputStream shown;
    private final byte[] line = new byte[LONGEST + 1];
    private int length;
    private int taken;
    private boolean afterReturn;

    public TypedLines(InputStream keys, OutputStream shown) {
        this.keys = keys;
        this.shown = shown;
    }

    @Override
    public int read() throws IOException {
        if (taken == length && !readLine()) {
            return -1;
        }
        return line[taken++] & 0xff;
    }

    /** What is left of a line, so that a reader gets it before the next one is typed. */
    @Override
    public int read(byte[] into, int offset, int most) throws IOException {
        if (most == 0) {
            return 0;
        }
        if (taken == length && !readLine()) {
            return -1;
        }
        int amount = Math.min(most, length - taken);
        System.arraycopy(line, taken, into, offset, amount);
        taken += amount;
        return amount;
    }

    @Override
    public int available() {
        return length - taken;
    }

    private boolean readLine() throws IOException {
        length = 0;
        taken = 0;
        while (true) {
            int key = keys.read();
            boolean second = key == '\n' && afterReturn;
            afterReturn = key == '\r';
            if (second) {
                continue;
            }
            switch (key) {
                case -1 -> {
                    return length > 0;
                }
                case '\r', '\n' -> {
                    show('\n');
                    line[length++] = '\n';
                    return true;
                }
                case END -> {
                    if (length == 0) {
                        return false;
                    }
                }
                case BACKSPACE, DELETE -> takeBack();
                case TAKE_LINE_BACK -> {
                    while (length > 0) {
                        takeBack();
                    }
                }
                case ESCAPE -> skipKey();
                default -> type(key);
            }
        }
    }

    private void type(int key) throws IOException {
        if ((key >= ' ' || key == '\t') && length < LONGEST) {
            line[length++] = (byte) key;
            show(key);
        }
    }

    private void show(int key) throws IOException {
        shown.write(key);
        shown.flush();
    }

    /** A character may have several bytes, of which all but the first look alike. */
    private void takeBack() throws IOException {
        if (length > 0) {
            while (length > 1 && (line[length - 1] & 0xc0) == 0x80) {
                length--;
            }
            length--;
            shown.write(ERASE);
            shown.flush();
        }
    }

    /** Arrows and the like mean nothing here. */
    private void skipKey() throws IOException {
        int key = keys.read();
        if (key == '[' || key == 'O') {
            do {
                key = keys.read();
            } while (key >= ' ' && key < '@');
        }
    }
}
