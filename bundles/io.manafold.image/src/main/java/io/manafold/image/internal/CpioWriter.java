package io.manafold.image.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Writes the files that a kernel begins with, as newc. */
final class CpioWriter implements AutoCloseable {
    private static final int FOLDER = 0040755;
    private static final int PROGRAM = 0100755;
    private static final int LINK = 0120777;

    private final OutputStream out;
    private int number;

    CpioWriter(OutputStream out) {
        this.out = out;
    }

    void folder(String name) throws IOException {
        entry(name, FOLDER, new byte[0]);
    }

    void file(String name, byte[] bytes) throws IOException {
        entry(name, PROGRAM, bytes);
    }

    void link(String name, String target) throws IOException {
        entry(name, LINK, target.getBytes(StandardCharsets.UTF_8));
    }

    private void entry(String name, int mode, byte[] bytes) throws IOException {
        StringBuilder header = new StringBuilder("070701");
        int[] fields = {++number, mode, 0, 0, 1, 0, bytes.length, 0, 0, 0, 0, name.length() + 1, 0};
        for (int field : fields) {
            header.append(String.format(Locale.ROOT, "%08X", field));
        }
        header.append(name).append('\0');
        while ((header.length() & 3) != 0) {
            header.append('\0');
        }
        out.write(header.toString().getBytes(StandardCharsets.US_ASCII));
        out.write(bytes);
        out.write(new byte[-bytes.length & 3]);
    }

    @Override
    public void close() throws IOException {
        entry("TRAILER!!!", 0, new byte[0]);
        out.close();
    }
}
