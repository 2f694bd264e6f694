package io.manafold.launcher.internal.lines;

import io.manafold.launcher.internal.words.Status;
import io.manafold.shell.Session;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Carries out one line after the other. A line that fails does not keep the next from being carried out; the status is
 * that of the first that failed, or the one that {@code exit} names.
 */
public final class Script {
    private final Session session;
    private final BooleanSupplier ended;

    /** @param ended whether the reader of their output has gone */
    public Script(Session session, BooleanSupplier ended) {
        this.session = session;
        this.ended = ended;
    }

    public int run(LineSource lines) throws IOException {
        int first = Status.DONE;
        while (!ended.getAsBoolean()) {
            String line = lines.next();
            if (line == null) {
                break;
            }
            if (line.isBlank() || line.stripLeading().startsWith("#")) {
                continue;
            }
            int status = session.execute(line);
            if (session.ended()) {
                return status;
            }
            if (first == Status.DONE) {
                first = status;
            }
        }
        return first;
    }
}
