package io.manafold.image.internal;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/**
 * Unpacks zstd as RFC 8878 describes it: frame after frame, block after block. Every number in it may be wrong.
 * Checksums are passed over: what is unpacked has to stand its own reader.
 */
final class ZstdInput extends InputStream {
    static final int MAGIC = 0xfd2fb528;
    static final int BLOCK = 128 << 10;
    private static final int SKIPPED = 0x184d2a50;
    private static final int CHECKSUM = 4;
    private static final int SINGLE = 0x20;
    private static final int RESERVED = 0x08;

    private final InputStream in;
    private final ZstdOutput out = new ZstdOutput();
    private final byte[] packed = new byte[BLOCK];
    private ZstdBlock blocks;
    private boolean inFrame;
    private boolean isLast;
    private boolean checksum;
    private boolean ended;

    ZstdInput(InputStream in) {
        this.in = in;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int at, int count) throws IOException {
        Objects.checkFromIndexSize(at, count, bytes.length);
        if (count == 0) {
            return 0;
        }
        while (out.unread() == 0) {
            if (!more()) {
                return -1;
            }
        }
        return out.take(bytes, at, count);
    }

    /** Unpacks a block, or begins a frame; false at the end. */
    private boolean more() throws IOException {
        if (ended) {
            return false;
        }
        if (!inFrame) {
            ended = !frame();
            return !ended;
        }
        if (isLast) {
            number(checksum ? CHECKSUM : 0);
            inFrame = false;
            return true;
        }
        int header = (int) number(3);
        isLast = (header & 1) != 0;
        int size = header >> 3;
        if (size > BLOCK) {
            throw new IOException("a block of zstd is larger than one may be");
        }
        switch (header >> 1 & 3) {
            case 0 -> {
                fill(size);
                out.literals(packed, 0, size);
            }
            case 1 -> out.repeat((byte) number(1), size);
            case 2 -> {
                fill(size);
                blocks.unpack(packed, size);
            }
            default -> throw new IOException("a block of zstd has a kind that is none");
        }
        return true;
    }

    /** Begins the next frame; false if there is none. */
    private boolean frame() throws IOException {
        byte[] bytes = in.readNBytes(4);
        if (bytes.length < 4) {
            return false;
        }
        int magic = bytes[0] & 0xff | (bytes[1] & 0xff) << 8 | (bytes[2] & 0xff) << 16 | bytes[3] << 24;
        if ((magic & ~0xf) == SKIPPED) {
            in.skipNBytes(number(4));
            return true;
        }
        if (magic != MAGIC) {
            return false;
        }
        int what = (int) number(1);
        boolean single = (what & SINGLE) != 0;
        if ((what & RESERVED) != 0) {
            throw new IOException("a frame of zstd has a bit that is reserved");
        }
        long window = 0;
        if (!single) {
            int said = (int) number(1);
            long base = 1L << 10 + (said >> 3);
            window = base + base / 8 * (said & 7);
        }
        if (number(new int[] {0, 1, 2, 4}[what & 3]) != 0) {
            throw new IOException("it is packed with zstd and a dictionary, which is not here");
        }
        long contents = number(new int[] {single ? 1 : 0, 2, 4, 8}[what >> 6]);
        window = single ? contents + (what >> 6 == 1 ? 256 : 0) : window;
        if (window < 0 || window > Limits.ZSTD_WINDOW) {
            throw new IOException("it is packed with a window of zstd of more than " + (Limits.ZSTD_WINDOW >> 20)
                    + " MiB; unpack it with 'zstd -d --long=31' first");
        }
        out.begin((int) window);
        blocks = new ZstdBlock(out);
        checksum = (what & 4) != 0;
        isLast = false;
        inFrame = true;
        return true;
    }

    private long number(int bytes) throws IOException {
        long number = 0;
        for (int i = 0; i < bytes; i++) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("it ends in the middle of a frame of zstd");
            }
            number |= (long) next << 8 * i;
        }
        return number;
    }

    private void fill(int size) throws IOException {
        if (in.readNBytes(packed, 0, size) < size) {
            throw new EOFException("it ends in the middle of a block of zstd");
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
