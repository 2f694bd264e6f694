package io.manafold.shell.internal;

import io.manafold.shell.Session;
import io.manafold.shell.Shell;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.function.IntSupplier;
import org.apache.felix.service.command.CommandProcessor;
import org.osgi.annotation.bundle.Capability;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/**
 * Sessions in which our commands and Gogo's stand side by side. Gogo's runtime asks for a bundle that is its shell;
 * this one is, so that a composition needs no other.
 */
@Capability(namespace = "org.apache.felix.gogo", name = "shell.implementation", version = "1.0.0")
@Component(immediate = true)
public final class GogoShell implements Shell {
    private final CommandProcessor gogo;
    private final CommandTable commands;

    @Activate
    public GogoShell(@Reference CommandProcessor gogo, @Reference CommandTracker tracker) {
        this(gogo, tracker.commands());
    }

    GogoShell(CommandProcessor gogo, CommandTable commands) {
        this.gogo = gogo;
        this.commands = commands;
    }

    @Override
    public Session open(InputStream in, PrintStream out, PrintStream err) {
        return open(in, out, err, () -> Streams.TERMINAL);
    }

    @Override
    public Session open(InputStream in, PrintStream out, PrintStream err, IntSupplier columns) {
        return new GogoSession(gogo, commands, new Streams(in, out, err, Streams.TERMINAL), columns);
    }
}
