package io.manafold.image.internal;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/** Unpacks gz, xz and zstd, known by their first bytes. */
final class Packed {
    /** No memory for xz: layers are not packed with it. */
    static final int NO_XZ = 0;
    private static final int MOST_MAGIC = 6;

    private Packed() {
    }

    /** A stream of what is in it; of one that is not packed, the same. */
    static InputStream open(InputStream packed) throws IOException {
        return open(packed, Limits.XZ_MEMORY);
    }

    /** @param xzMemory KiB that unpacking xz may take */
    static InputStream open(InputStream packed, int xzMemory) throws IOException {
        BufferedInputStream in = new BufferedInputStream(packed, 1 << 16);
        in.mark(MOST_MAGIC);
        byte[] magic = in.readNBytes(MOST_MAGIC);
        in.reset();
        if (begins(magic, 0x1f, 0x8b)) {
            return new GZIPInputStream(in, 1 << 16);
        }
        if (begins(magic, 0xfd, '7', 'z', 'X', 'Z', 0)) {
            if (xzMemory == NO_XZ) {
                throw new IOException("it is packed with xz, which layers are not");
            }
            return new XZInputStream(in, xzMemory);
        }
        if (begins(magic, 0x28, 0xb5, 0x2f, 0xfd)) {
            return new ZstdInput(in);
        }
        if (begins(magic, 'B', 'Z', 'h')) {
            throw new IOException("it is packed with bzip2, which is not read here; unpack it with 'bunzip2' first");
        }
        return in;
    }

    /** Whether it begins as something packed does. */
    static boolean is(byte[] bytes) {
        return begins(bytes, 0x1f, 0x8b) || begins(bytes, 0xfd, '7', 'z', 'X', 'Z', 0)
                || begins(bytes, 0x28, 0xb5, 0x2f, 0xfd) || begins(bytes, 'B', 'Z', 'h');
    }

    private static boolean begins(byte[] bytes, int... magic) {
        for (int i = 0; i < magic.length; i++) {
            if (i >= bytes.length || (bytes[i] & 0xff) != magic[i]) {
                return false;
            }
        }
        return true;
    }

    static byte[] unpacked(byte[] bytes, int most) throws IOException {
        try (InputStream in = open(new ByteArrayInputStream(bytes))) {
            byte[] all = in.readNBytes(most + 1);
            if (all.length > most) {
                throw new IOException("it has more than " + (most >> 20) + " MiB");
            }
            return all;
        }
    }
}
