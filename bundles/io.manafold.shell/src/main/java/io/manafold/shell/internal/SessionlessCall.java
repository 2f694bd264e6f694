package io.manafold.shell.internal;

import io.manafold.shell.Command;
import io.manafold.shell.Session;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;

/** A call that belongs to no session. */
public final class SessionlessCall {
    private SessionlessCall() {
    }

    public static int run(Command command, List<String> words, InputStream in, PrintStream out, PrintStream err,
            int columns) {
        Outcome outcome = Runner.run(command, command.syntax(), words,
                new Streams(in, out, err, Streams.TERMINAL).wide(columns), null);
        if (outcome.status() != Session.DONE) {
            GogoSession.tell(err, outcome);
        }
        return outcome.status();
    }
}
