package io.manafold.image.internal;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes frames of zstd in which nothing is packed. */
final class Zstd {
    private static final int WINDOW = 128 << 10;

    private Zstd() {
    }

    static byte[] raw(byte[] bytes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        // the length in eight bytes, and a window of 128 KiB
        out.writeBytes(ByteBuffer.allocate(14).order(ByteOrder.LITTLE_ENDIAN).putInt(ZstdInput.MAGIC).put((byte) 0xc0)
                .put((byte) (7 << 3))
                .putLong(bytes.length).array());
        int at = 0;
        do {
            int size = Math.min(WINDOW, bytes.length - at);
            int header = size << 3 | (at + size == bytes.length ? 1 : 0);
            out.writeBytes(new byte[] {(byte) header, (byte) (header >> 8), (byte) (header >> 16)});
            out.write(bytes, at, size);
            at += size;
        } while (at < bytes.length);
        return out.toByteArray();
    }
}
