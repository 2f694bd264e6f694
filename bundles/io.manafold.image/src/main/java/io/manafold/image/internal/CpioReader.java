package io.manafold.image.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads cpio as initial file systems are written: newc, several one after the other, packed or not. */
final class CpioReader {
    static final int HEADER = 110;
    private static final String END = "TRAILER!!!";

    private final BoundedInput in;
    private final EntryVisitor entries;

    CpioReader(BoundedInput in, EntryVisitor entries) {
        this.in = in;
        this.entries = entries;
    }

    static boolean is(byte[] bytes) {
        return bytes.length >= 6 && new String(bytes, 0, 5, StandardCharsets.ISO_8859_1).equals("07070")
                && (bytes[5] == '1' || bytes[5] == '2');
    }

    /** Reads until the end of one archive; false if it is cut off between two entries. */
    boolean read() throws IOException {
        byte[] header = new byte[HEADER];
        while (in.fill(header)) {
            if (!is(header)) {
                throw new IOException("the header at byte " + (in.position() - HEADER) + " is none");
            }
            if (!entry(header)) {
                return true;
            }
        }
        return false;
    }

    private boolean entry(byte[] header) throws IOException {
        int mode = (int) field(header, 1);
        long size = field(header, 6);
        long length = field(header, 11);
        if (length < 1 || length > Limits.NAME) {
            throw new IOException("the header at byte " + (in.position() - HEADER) + " announces a name of " + length
                    + " bytes");
        }
        byte[] bytes = in.bytes((int) length);
        String name = new String(Arrays.copyOf(bytes, bytes.length - 1), StandardCharsets.UTF_8);
        align();
        if (name.equals(END)) {
            in.skip(size);
            return false;
        }
        switch (mode & 0170000) {
            case 0100000 -> entries.file(name, size);
            case 0040000 -> {
                in.skip(size);
                entries.folder(name);
            }
            case 0120000 -> {
                if (size > Limits.NAME) {
                    throw new IOException("a link says more than " + Limits.NAME + " bytes");
                }
                entries.link(name, new String(in.bytes((int) size), StandardCharsets.UTF_8));
            }
            default -> {
                in.skip(size);
                entries.other(name);
            }
        }
        align();
        return true;
    }

    private void align() throws IOException {
        in.skip(-in.position() & 3);
    }

    private long field(byte[] header, int index) throws IOException {
        long number = 0;
        for (int i = 6 + index * 8; i < 14 + index * 8; i++) {
            int digit = Character.digit(header[i], 16);
            if (digit < 0) {
                throw new IOException("a number in the header at byte " + (in.position() - HEADER)
                        + " has a digit that is none");
            }
            number = number << 4 | digit;
        }
        return number;
    }
}
