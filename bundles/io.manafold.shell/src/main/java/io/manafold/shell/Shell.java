package io.manafold.shell;

import java.io.InputStream;
import java.io.PrintStream;
import org.osgi.annotation.versioning.ProviderType;

/** Opens sessions: at a prompt, for a script, for a socket. */
@ProviderType
public interface Shell {
    /** The caller closes the session; the streams stay the caller's. */
    Session open(InputStream in, PrintStream out, PrintStream err);
}
