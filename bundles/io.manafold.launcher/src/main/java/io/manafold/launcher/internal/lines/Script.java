package io.manafold.launcher.internal.lines;

import io.manafold.launcher.internal.words.Status;
import io.manafold.shell.Session;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Carries out one line after the other. Whether a line that fails keeps the next from being carried out is for each
 * implementation to say; the status is that of the first that failed, or the one that {@code exit} names.
 */
public final class Script {
    private final Session session;
    private final BooleanSupplier ended;

    /** Is told of each line. */
    public interface Follower {
        /** Whether to go on after a line that was carried out. */
        boolean done(int line, String command, int status, long nanos);
    }

    /** @param ended whether the reader of their output has gone */
    public Script(Session session, BooleanSupplier ended) {
        this.session = session;
        this.ended = ended;
    }

    public int run(LineSource lines) throws IOException {
        return run(lines, (line, command, status, nanos) -> true);
    }

    public int run(LineSource lines, Follower follower) throws IOException {
        int first = Status.DONE;
        int number = 0;
        while (!ended.getAsBoolean()) {
            String line = lines.next();
            number++;
            if (line == null) {
                break;
            }
            if (line.isBlank() || line.stripLeading().startsWith("#")) {
                continue;
            }
            long begin = System.nanoTime();
            int status = session.execute(line);
            boolean goesOn = follower.done(number, line, status, System.nanoTime() - begin);
            if (session.ended()) {
                return status;
            }
            if (first == Status.DONE) {
                first = status;
            }
            if (!goesOn) {
                break;
            }
        }
        return first;
    }
}
