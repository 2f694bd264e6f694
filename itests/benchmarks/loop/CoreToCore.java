package io.manafold.benchmark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;

/**
 * How long a cache line takes from one processor to another and back. A virtual machine's processors are moved about
 * while it runs, and each figure of two threads moves with them; one that was taken while this one moved means nothing.
 */
final class CoreToCore implements AutoCloseable {
    /** Two figures within it are of the same placement. */
    private static final double SAME = 1.25;

    private final Process process;
    private final PrintStream to;
    private final BufferedReader from;

    /** @param program empty if there is none; all figures are NaN then */
    CoreToCore(String program, int[] cores) throws IOException {
        process = program.isEmpty() ? null : new ProcessBuilder(program, "" + cores[0], "" + cores[1])
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        to = process == null ? null : new PrintStream(process.getOutputStream(), true);
        from = process == null ? null : new BufferedReader(new InputStreamReader(process.getInputStream()));
    }

    double nanos() throws IOException {
        if (process == null) {
            return Double.NaN;
        }
        to.println();
        String answer = from.readLine();
        if (answer == null) {
            throw new IllegalStateException("core-to-core has ended");
        }
        return Double.parseDouble(answer);
    }

    static boolean stoodStill(double before, double after) {
        return Double.isNaN(before) || Math.max(before, after) <= SAME * Math.min(before, after);
    }

    @Override
    public void close() {
        if (process != null) {
            to.close();
            process.destroy();
        }
    }
}
