package io.manafold.shell.internal;

import java.io.InputStream;
import java.io.PrintStream;

/**
 * Where one command reads and writes.
 *
 * @param width how many columns a line may have; another command at the other end of a pipe takes any
 */
record Streams(InputStream in, PrintStream out, PrintStream err, int width) {
    static final int TERMINAL = 80;
    static final int PIPE = 1 << 20;
    private static final int NARROWEST = 40;

    /** The same streams with as many columns; 0 is any number. */
    Streams wide(int columns) {
        return new Streams(in, out, err, columns <= 0 ? PIPE : Math.max(columns, NARROWEST));
    }
}
