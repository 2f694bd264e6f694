package io.manafold.image.internal;

import java.io.IOException;

/** Blocks of a frame of zstd: literals, and sequences of some of them and a copy of what stands further back. */
final class ZstdBlock {
    private static final FseTable USUAL_LITERALS = FseTable.of(6, 4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2,
            2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1);
    private static final FseTable USUAL_MATCHES = FseTable.of(6, 1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1,
            1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1,
            -1, -1);
    private static final FseTable USUAL_OFFSETS = FseTable.of(5, 1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1,
            1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1);
    private static final int[] LITERAL_BITS = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3,
            4, 6, 7, 8, 9, 10, 11, 12,
        13, 14, 15, 16};
    private static final int[] MATCH_BITS = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 1, 1,
        1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    private static final int[] LITERAL_BASES = bases(0, LITERAL_BITS);
    private static final int[] MATCH_BASES = bases(3, MATCH_BITS);
    private static final int MOST_OFFSETS = 32;
    private static final int MOST_SEQUENCES_BEFORE = 0x7f00;

    private final ZstdOutput out;
    private final ZstdLiterals literals = new ZstdLiterals();
    private final int[] recent = {1, 4, 8};
    private FseTable literalLengths;
    private FseTable matchLengths;
    private FseTable offsets;
    private byte[] block;
    private int size;
    private int at;

    ZstdBlock(ZstdOutput out) {
        this.out = out;
    }

    /** Each code begins where the one before it ends. */
    private static int[] bases(int first, int[] bits) {
        int[] bases = new int[bits.length];
        bases[0] = first;
        for (int i = 1; i < bits.length; i++) {
            bases[i] = bases[i - 1] + (1 << bits[i - 1]);
        }
        return bases;
    }

    void unpack(byte[] packed, int packedSize) throws IOException {
        block = packed;
        size = packedSize;
        at = literals.read(block, size);
        int sequences = next();
        if (sequences >= 255) {
            sequences = next() + (next() << 8) + MOST_SEQUENCES_BEFORE;
        } else if (sequences >= 128) {
            sequences = (sequences - 128 << 8) + next();
        }
        if (sequences == 0) {
            out.literals(literals.bytes, 0, literals.count);
            return;
        }
        int modes = next();
        literalLengths = table(modes >> 6, USUAL_LITERALS, literalLengths, 9, LITERAL_BITS.length);
        offsets = table(modes >> 4 & 3, USUAL_OFFSETS, offsets, 8, MOST_OFFSETS);
        matchLengths = table(modes >> 2 & 3, USUAL_MATCHES, matchLengths, 9, MATCH_BITS.length);
        sequences(sequences);
    }

    private int next() throws IOException {
        if (at >= size) {
            throw new IOException("a block of zstd ends too early");
        }
        return block[at++] & 0xff;
    }

    private FseTable table(int mode, FseTable usual, FseTable before, int accuracy, int symbols) throws IOException {
        switch (mode) {
            case 0:
                return usual;
            case 1:
                int symbol = next();
                if (symbol >= symbols) {
                    throw new IOException("a block of zstd has a code that is none");
                }
                return FseTable.always(symbol);
            case 2:
                ZstdBits description = ZstdBits.forwards(block, at, size);
                FseTable table = FseTable.read(description, accuracy, symbols);
                at = description.nextByte();
                return table;
            default:
                if (before == null) {
                    throw new IOException("a block of zstd uses a table that is not there");
                }
                return before;
        }
    }

    private void sequences(int count) throws IOException {
        ZstdBits in = ZstdBits.backwards(block, at, size);
        int literalState = (int) in.previous(literalLengths.accuracy);
        int offsetState = (int) in.previous(offsets.accuracy);
        int matchState = (int) in.previous(matchLengths.accuracy);
        int used = 0;
        int made = 0;
        for (int i = 0; i < count; i++) {
            int offsetCode = offsets.symbol(offsetState);
            int matchCode = matchLengths.symbol(matchState);
            int literalCode = literalLengths.symbol(literalState);
            long offset = (1L << offsetCode) + in.previous(offsetCode);
            int match = MATCH_BASES[matchCode] + (int) in.previous(MATCH_BITS[matchCode]);
            int length = LITERAL_BASES[literalCode] + (int) in.previous(LITERAL_BITS[literalCode]);
            if (i < count - 1) {
                literalState = literalLengths.next(literalState, in);
                matchState = matchLengths.next(matchState, in);
                offsetState = offsets.next(offsetState, in);
            }
            made += length + match;
            if (in.left() < 0 || length > literals.count - used || made > ZstdInput.BLOCK) {
                throw new IOException("a block of zstd has more in it than it may");
            }
            out.literals(literals.bytes, used, length);
            used += length;
            out.match(back(offset, length), match);
        }
        if (in.left() != 0) {
            throw new IOException("a block of zstd does not end where it should");
        }
        out.literals(literals.bytes, used, literals.count - used);
    }

    /** How far back a copy is from: a number of its own, or that of one of the last three. */
    private int back(long offset, int length) {
        if (offset > 3) {
            return used(2, (int) Math.min(offset - 3, Integer.MAX_VALUE));
        }
        int which = (int) offset - (length == 0 ? 0 : 1);
        return which == 3 ? used(2, recent[0] - 1) : used(which, recent[which]);
    }

    /** Puts it first, and those before its old place one further. */
    private int used(int place, int back) {
        for (int i = place; i > 0; i--) {
            recent[i] = recent[i - 1];
        }
        recent[0] = back;
        return back;
    }
}
