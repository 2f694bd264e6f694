package io.manafold.shell.host;

import io.manafold.shell.Command;
import io.manafold.shell.internal.Detached;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;

/** Runs one command without a session: for tests of commands, and for hosts that have a shell of their own. */
public final class CommandLine {
    private CommandLine() {
    }

    /** Carries out one call; what there is to say to the user has gone to the streams when this returns the status. */
    public static int run(Command command, List<String> words, InputStream in, PrintStream out, PrintStream err) {
        return Detached.run(command, words, in, out, err);
    }
}
