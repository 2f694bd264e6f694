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
}
