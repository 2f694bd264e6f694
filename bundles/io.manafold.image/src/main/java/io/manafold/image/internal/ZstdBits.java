package io.manafold.image.internal;

import java.io.IOException;

/**
 * Bits of zstd. Descriptions of tables are read forwards from the lowest bit, all else backwards from the last bit that
 * is set.
 */
final class ZstdBits {
    private final byte[] bytes;
    private final int from;
    private final int to;
    /** Bits before this one are to be read backwards; bits from this one on forwards. */
    private int at;

    private ZstdBits(byte[] bytes, int from, int to, int at) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        this.at = at;
    }

    static ZstdBits forwards(byte[] bytes, int from, int to) {
        return new ZstdBits(bytes, from, to, 0);
    }

    static ZstdBits backwards(byte[] bytes, int from, int to) throws IOException {
        if (to <= from || bytes[to - 1] == 0) {
            throw new IOException("bits of zstd have no end");
        }
        int last = 31 - Integer.numberOfLeadingZeros(bytes[to - 1] & 0xff);
        return new ZstdBits(bytes, from, to, (to - from - 1) * 8 + last);
    }

    /** Bits from a place on, the lowest first; what lies outside is zero. */
    private long bits(int place, int count) {
        long value = 0;
        for (int got = 0; got < count;) {
            int bit = place + got;
            if (bit < 0) {
                got += Math.min(-bit, count - got);
                continue;
            }
            int index = from + (bit >> 3);
            int taken = Math.min(8 - (bit & 7), count - got);
            if (index < to) {
                value |= (bytes[index] >> (bit & 7) & (1L << taken) - 1) << got;
            }
            got += taken;
        }
        return value;
    }

    int next(int count) throws IOException {
        if (at + count > (to - from) * 8) {
            throw new IOException("a table of zstd goes on behind its end");
        }
        int value = (int) bits(at, count);
        at += count;
        return value;
    }

    void back(int count) {
        at -= count;
    }

    /** The byte behind the last bit that was read forwards. */
    int nextByte() {
        return from + (at + 7 >> 3);
    }

    /** Reads backwards; what lies before the first bit is zero. */
    long previous(int count) {
        at -= count;
        return bits(at, count);
    }

    /** How many bits are left to be read backwards; negative if some were read that are not there. */
    int left() {
        return at;
    }
}
