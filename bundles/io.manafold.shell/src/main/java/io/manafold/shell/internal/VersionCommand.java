package io.manafold.shell.internal;

import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Fields;
import io.manafold.shell.Syntax;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;

/** Says which platform this is, and on what it runs. */
final class VersionCommand implements Command {
    private final BundleContext context;

    VersionCommand(BundleContext context) {
        this.context = context;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command("version", "shell", "Says which Manafold this is, on which Java and framework").shows()
                .example("version", "for a report").build();
    }

    @Override
    public void run(Call call) {
        Bundle framework = context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION);
        call.print(Fields.of("manafold", context.getBundle().getVersion().toString())
                .and("java", Runtime.version().toString())
                .and("framework", framework.getSymbolicName() + " " + framework.getVersion())
                .and("system", System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch")));
    }
}
