package io.manafold.image.internal;

import java.io.IOException;

/** A table of zstd's finite state entropy: of each state its symbol, and where the next one is. */
final class FseTable {
    private static final int LEAST = 5;

    final int accuracy;
    private final byte[] symbols;
    private final byte[] bits;
    private final short[] bases;

    private FseTable(int accuracy) {
        this.accuracy = accuracy;
        symbols = new byte[1 << accuracy];
        bits = new byte[1 << accuracy];
        bases = new short[1 << accuracy];
    }

    /** A table of one state. */
    static FseTable always(int symbol) {
        FseTable table = new FseTable(0);
        table.symbols[0] = (byte) symbol;
        return table;
    }

    /** @param shares of each symbol, of so many bits' worth of states; -1 for less than one */
    static FseTable of(int accuracy, int... shares) {
        FseTable table = new FseTable(accuracy);
        int size = 1 << accuracy;
        int high = size;
        int[] next = new int[shares.length];
        for (int symbol = 0; symbol < shares.length; symbol++) {
            next[symbol] = Math.abs(shares[symbol]);
            if (shares[symbol] < 0) {
                table.symbols[--high] = (byte) symbol;
            }
        }
        int step = (size >> 1) + (size >> 3) + 3;
        int state = 0;
        for (int symbol = 0; symbol < shares.length; symbol++) {
            for (int i = 0; i < shares[symbol]; i++) {
                table.symbols[state] = (byte) symbol;
                do {
                    state = state + step & size - 1;
                } while (state >= high);
            }
        }
        for (int i = 0; i < size; i++) {
            int number = next[table.symbols[i] & 0xff]++;
            table.bits[i] = (byte) (accuracy - 31 + Integer.numberOfLeadingZeros(number));
            table.bases[i] = (short) ((number << table.bits[i]) - size);
        }
        return table;
    }

    /** Reads the shares of each symbol. */
    static FseTable read(ZstdBits in, int mostAccuracy, int mostSymbols) throws IOException {
        int accuracy = in.next(4) + LEAST;
        if (accuracy > mostAccuracy) {
            throw new IOException("a table of zstd is larger than one may be");
        }
        int[] shares = new int[mostSymbols];
        int symbol = 0;
        int remaining = 1 << accuracy;
        while (remaining > 0) {
            int width = 32 - Integer.numberOfLeadingZeros(remaining + 1);
            int value = in.next(width);
            int low = (1 << width - 1) - 1;
            int unused = (1 << width) - 2 - remaining;
            if ((value & low) < unused) {
                // values that need a bit less
                in.back(1);
                value &= low;
            } else if (value > low) {
                value -= unused;
            }
            int share = value - 1;
            remaining -= Math.abs(share);
            symbol = put(shares, symbol, share);
            for (int zeros = share == 0 ? 3 : 0; zeros == 3;) {
                zeros = in.next(2);
                for (int i = 0; i < zeros; i++) {
                    symbol = put(shares, symbol, 0);
                }
            }
        }
        if (remaining < 0) {
            throw new IOException("a table of zstd has more states than there are");
        }
        return of(accuracy, shares);
    }

    private static int put(int[] shares, int symbol, int share) throws IOException {
        if (symbol >= shares.length) {
            throw new IOException("a table of zstd has more symbols than there are");
        }
        shares[symbol] = share;
        return symbol + 1;
    }

    int symbol(int state) {
        return symbols[state] & 0xff;
    }

    int next(int state, ZstdBits in) {
        return bases[state] + (int) in.previous(bits[state]);
    }
}
