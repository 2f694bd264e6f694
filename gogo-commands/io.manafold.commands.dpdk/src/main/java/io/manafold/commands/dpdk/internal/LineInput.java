package io.manafold.commands.dpdk.internal;

import io.manafold.shell.Call;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;

/** Lines of what comes in, byte by byte: what follows the line that ends the program is for the shell. */
final class LineInput {
    /**
     * As many bytes as the 4096 characters that a line may have, and one more, by which a longer one is refused rather
     * than cut and carried out.
     */
    private static final int LONGEST = 3 * 4096 + 1;

    private final InputStream in;

    LineInput(Call call) {
        in = call.in();
    }

    /**
     * Throws if the user has interrupted the line before: the next one may be here already, and would be taken without
     * a wait that tells of the interrupt.
     */
    static void checkInterrupt() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while a line was carried out");
        }
    }

    /** The next line, {@code null} if there is none. */
    String read() throws IOException, InterruptedException {
        checkInterrupt();
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try {
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0) {
                    return line.size() == 0 ? null : line.toString(StandardCharsets.UTF_8);
                }
                if (line.size() < LONGEST && next != '\r') {
                    line.write(next);
                }
            }
            return line.toString(StandardCharsets.UTF_8);
        } catch (InterruptedIOException e) {
            // it is told by the exception from here on: what ends the program waits for cores and ports
            Thread.interrupted();
            throw (InterruptedException) new InterruptedException().initCause(e);
        }
    }
}
