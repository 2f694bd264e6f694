package io.manafold.image.internal;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Writes archives, wrong ones included. */
final class ArchiveBytes {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    ArchiveBytes tar(String name, char type, String link, long size, byte[] contents) {
        byte[] header = new byte[512];
        put(header, 0, name);
        put(header, 100, "0000644");
        put(header, 124, "%011o".formatted(size));
        put(header, 136, "00000000000");
        header[156] = (byte) type;
        put(header, 157, link);
        put(header, 257, "ustar");
        header[263] = '0';
        header[264] = '0';
        put(header, 148, "        ");
        long sum = 0;
        for (byte one : header) {
            sum += one & 0xff;
        }
        put(header, 148, "%06o\0 ".formatted(sum));
        out.writeBytes(header);
        out.writeBytes(contents);
        out.writeBytes(new byte[-contents.length & 511]);
        return this;
    }

    ArchiveBytes tar(String name, String contents) {
        byte[] bytes = contents.getBytes(StandardCharsets.UTF_8);
        return tar(name, '0', "", bytes.length, bytes);
    }

    ArchiveBytes link(String name, String target) {
        return tar(name, '2', target, 0, new byte[0]);
    }

    ArchiveBytes cpio(String name, int mode, String contents) {
        byte[] bytes = contents.getBytes(StandardCharsets.UTF_8);
        out.writeBytes(("070701" + hex(1) + hex(mode) + hex(0) + hex(0) + hex(1) + hex(0) + hex(bytes.length) + hex(0)
                + hex(0) + hex(0) + hex(0) + hex(name.length() + 1) + hex(0)).getBytes(StandardCharsets.US_ASCII));
        out.writeBytes((name + "\0").getBytes(StandardCharsets.UTF_8));
        out.writeBytes(new byte[-out.size() & 3]);
        out.writeBytes(bytes);
        out.writeBytes(new byte[-out.size() & 3]);
        return this;
    }

    private static String hex(int number) {
        return "%08x".formatted(number).toUpperCase(Locale.ROOT);
    }

    ArchiveBytes raw(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    private static void put(byte[] into, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, into, at, Math.min(bytes.length, 100));
    }

    byte[] bytes() {
        return out.toByteArray();
    }
}
