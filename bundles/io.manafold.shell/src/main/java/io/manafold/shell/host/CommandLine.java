package io.manafold.shell.host;

import io.manafold.shell.Command;
import io.manafold.shell.internal.SessionlessCall;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;

/** Runs one command without a session: for tests of commands, and for hosts that have a shell of their own. */
public final class CommandLine {
    private static final int TERMINAL = 80;

    private CommandLine() {
    }

    /** Carries out one call as on a terminal of 80 columns. */
    public static int run(Command command, List<String> words, InputStream in, PrintStream out, PrintStream err) {
        return SessionlessCall.run(command, words, in, out, err, TERMINAL);
    }

    /**
     * Carries out one call; what there is to say to the user has gone to the streams when this returns the status.
     *
     * @param columns of the terminal; 0 if the output goes to a program or a file
     */
    public static int run(Command command, List<String> words, InputStream in, PrintStream out, PrintStream err,
            int columns) {
        return SessionlessCall.run(command, words, in, out, err, columns);
    }
}
