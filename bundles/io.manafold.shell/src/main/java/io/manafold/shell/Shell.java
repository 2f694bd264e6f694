package io.manafold.shell;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.function.IntSupplier;
import org.osgi.annotation.versioning.ProviderType;

/** Opens sessions: at a prompt, for a script, for a socket. */
@ProviderType
public interface Shell {
    /** A session whose lines have 80 columns. The caller closes it; the streams stay the caller's. */
    Session open(InputStream in, PrintStream out, PrintStream err);

    /**
     * The same, in as many columns as there are.
     *
     * @param columns how many a line may have, asked anew for each command; 0 for any number, as in a pipe or a file
     */
    default Session open(InputStream in, PrintStream out, PrintStream err, IntSupplier columns) {
        return open(in, out, err);
    }
}
