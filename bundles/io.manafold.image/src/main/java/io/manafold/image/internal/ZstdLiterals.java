package io.manafold.image.internal;

import java.io.IOException;
import java.util.Arrays;

/**
 * Literals of zstd's blocks: plain, one over and over, or by Huffman's codes, whose table the blocks that follow may
 * use again.
 */
final class ZstdLiterals {
    private static final int MOST_BITS = 11;
    private static final int MOST_WEIGHTS = 255;
    private static final int WEIGHT_ACCURACY = 6;
    private static final int DIRECT = 128;
    private static final int JUMPS = 6;

    final byte[] bytes = new byte[ZstdInput.BLOCK];
    int count;
    private int width;
    private byte[] symbols;
    private byte[] lengths;

    /** Reads the literals of a block, and answers where what follows them begins. */
    int read(byte[] block, int size) throws IOException {
        int kind = at(block, 0, size) & 3;
        int format = at(block, 0, size) >> 2 & 3;
        return kind < 2 ? plain(block, size, kind, format) : coded(block, size, kind, format);
    }

    private int plain(byte[] block, int size, int kind, int format) throws IOException {
        int header = (format & 1) == 0 ? 1 : format == 1 ? 2 : 3;
        count = sized((int) (number(block, header, size) >> (header == 1 ? 3 : 4)));
        int length = kind == 0 ? count : 1;
        if (length > size - header) {
            throw new IOException("literals of zstd end behind their block");
        }
        if (kind == 0) {
            System.arraycopy(block, header, bytes, 0, count);
        } else {
            Arrays.fill(bytes, 0, count, block[header]);
        }
        return header + length;
    }

    private int coded(byte[] block, int size, int kind, int format) throws IOException {
        int header = format < 2 ? 3 : format + 2;
        int digits = new int[] {10, 10, 14, 18}[format];
        long said = number(block, header, size) >> 4;
        count = sized((int) (said & (1 << digits) - 1));
        int end = header + (int) (said >> digits);
        if (end > size) {
            throw new IOException("literals of zstd end behind their block");
        }
        int from = kind == 2 ? table(block, header, end) : header;
        if (symbols == null) {
            throw new IOException("literals of zstd use a table that is not there");
        }
        if (format == 0) {
            stream(block, from, end, 0, count);
            return end;
        }
        int streams = from + JUMPS;
        int part = (count + 3) / 4;
        if (streams > end || 3 * part > count) {
            throw new IOException("literals of zstd have no room for four streams");
        }
        for (int i = 0; i < 4; i++) {
            int until = i == 3 ? end : streams + (block[from + 2 * i] & 0xff) + ((block[from + 2 * i + 1] & 0xff) << 8);
            if (until > end) {
                throw new IOException("a stream of zstd ends behind its block");
            }
            stream(block, streams, until, i * part, i == 3 ? count - 3 * part : part);
            streams = until;
        }
        return end;
    }

    private void stream(byte[] block, int from, int end, int into, int symbolCount) throws IOException {
        ZstdBits in = ZstdBits.backwards(block, from, end);
        int state = (int) in.previous(width);
        int mask = (1 << width) - 1;
        for (int i = 0; i < symbolCount; i++) {
            bytes[into + i] = symbols[state];
            int length = lengths[state];
            state = (state << length | (int) in.previous(length)) & mask;
        }
        if (in.left() != -width) {
            throw new IOException("a stream of zstd does not end where it should");
        }
    }

    /** Reads a table of codes, and answers where what follows it begins. */
    private int table(byte[] block, int from, int end) throws IOException {
        int said = at(block, from, end);
        int[] weights = new int[MOST_WEIGHTS + 1];
        int known;
        int next;
        if (said >= DIRECT) {
            known = said - DIRECT + 1;
            next = from + 1 + (known + 1) / 2;
            for (int i = 0; i < known; i++) {
                int both = at(block, from + 1 + i / 2, end);
                weights[i] = i % 2 == 0 ? both >> 4 : both & 15;
            }
        } else {
            next = from + 1 + said;
            if (next > end) {
                throw new IOException("a table of zstd ends behind its block");
            }
            known = weights(block, from + 1, next, weights);
        }
        codes(weights, known);
        return next;
    }

    private static int weights(byte[] block, int from, int end, int[] weights) throws IOException {
        ZstdBits description = ZstdBits.forwards(block, from, end);
        FseTable table = FseTable.read(description, WEIGHT_ACCURACY, MOST_WEIGHTS + 1);
        ZstdBits in = ZstdBits.backwards(block, description.nextByte(), end);
        int[] states = {(int) in.previous(table.accuracy), (int) in.previous(table.accuracy)};
        int known = 0;
        for (int which = 0;; which ^= 1) {
            if (known + 1 >= MOST_WEIGHTS) {
                throw new IOException("a table of zstd has more symbols than there are");
            }
            weights[known++] = table.symbol(states[which]);
            states[which] = table.next(states[which], in);
            if (in.left() < 0) {
                weights[known++] = table.symbol(states[which ^ 1]);
                return known;
            }
        }
    }

    private void codes(int[] weights, int known) throws IOException {
        int sum = 0;
        for (int i = 0; i < known; i++) {
            if (weights[i] > MOST_BITS) {
                throw new IOException("a code of zstd is longer than one may be");
            }
            sum += weights[i] == 0 ? 0 : 1 << weights[i] - 1;
        }
        int bits = 32 - Integer.numberOfLeadingZeros(sum);
        int left = (1 << bits) - sum;
        if (sum == 0 || bits > MOST_BITS || Integer.bitCount(left) != 1) {
            throw new IOException("codes of zstd do not make a tree");
        }
        weights[known] = 32 - Integer.numberOfLeadingZeros(left);
        width = bits;
        symbols = new byte[1 << bits];
        lengths = new byte[1 << bits];
        int state = 0;
        for (int weight = 1; weight <= bits; weight++) {
            for (int symbol = 0; symbol <= known; symbol++) {
                if (weights[symbol] == weight) {
                    int next = state + (1 << weight - 1);
                    Arrays.fill(symbols, state, next, (byte) symbol);
                    Arrays.fill(lengths, state, next, (byte) (bits + 1 - weight));
                    state = next;
                }
            }
        }
    }

    private static int sized(int size) throws IOException {
        if (size > ZstdInput.BLOCK) {
            throw new IOException("a block of zstd has more literals than it may");
        }
        return size;
    }

    private static int at(byte[] block, int at, int end) throws IOException {
        if (at >= end) {
            throw new IOException("a block of zstd ends too early");
        }
        return block[at] & 0xff;
    }

    private static long number(byte[] block, int bytes, int size) throws IOException {
        long number = 0;
        for (int i = 0; i < bytes; i++) {
            number |= (long) at(block, i, size) << 8 * i;
        }
        return number;
    }
}
