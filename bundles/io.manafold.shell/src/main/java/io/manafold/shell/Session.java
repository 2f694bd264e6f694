package io.manafold.shell;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** A conversation with the platform. Used by one thread at a time. */
@ProviderType
public interface Session extends AutoCloseable {
    /** Exit status of a line that was carried out. */
    int DONE = 0;
    /** Exit status of a line with a command that was refused or failed. */
    int FAILED = 1;
    /** Exit status of a line that is not a command, or not one of this form. */
    int USAGE = 2;

    /**
     * Carries out one line of commands divided by {@code ;}. A command that fails ends the line; its sentence has gone
     * to the error stream when this returns. Interrupting the calling thread ends the command.
     *
     * @return the exit status
     */
    int execute(String line);

    /** Whether a command has asked to end the session ({@code exit}). */
    boolean ended();

    /**
     * Whether a line has nothing but what the shell can do by itself ({@code echo}, {@code date}), so that it can be
     * carried out while the commands of the platform are still coming.
     */
    boolean isBuiltIn(String line);

    /** What can stand at the cursor. */
    List<Candidate> complete(String line, int cursor);

    @Override
    void close();
}
