package io.manafold.commands.dpdk.internal;

import io.manafold.shell.Call;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;

/** Lines of what comes in. Where a terminal gives keys as they are, a carriage return ends them. */
final class LineInput {
    private static final int LONGEST = 4096;
    private static final int END = 4;
    private static final int INTERRUPT = 3;

    private final InputStream in;
    private boolean afterReturn;

    LineInput(Call call) {
        in = call.in();
    }

    /** The next line, {@code null} if there is none. */
    String read() throws IOException, InterruptedException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try {
            while (true) {
                int next = in.read();
                boolean second = next == '\n' && afterReturn;
                afterReturn = next == '\r';
                if (next < 0 || next == END && line.size() == 0) {
                    return line.size() == 0 ? null : line.toString(StandardCharsets.UTF_8);
                }
                if (next == INTERRUPT) {
                    throw new InterruptedException();
                }
                if (next == '\r' || next == '\n' && !second) {
                    return line.toString(StandardCharsets.UTF_8);
                }
                if (!second && line.size() < LONGEST) {
                    line.write(next);
                }
            }
        } catch (InterruptedIOException e) {
            throw (InterruptedException) new InterruptedException().initCause(e);
        }
    }
}
