package io.manafold.shell.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Numbers;
import io.manafold.shell.Syntax;

/** Ends the session. */
final class ExitCommand implements Command {
    private static final int HIGHEST = 255;

    private final Syntax syntax;

    ExitCommand(String name) {
        syntax = Syntax.command(name, "shell", "Ends the session")
                .about("What was set up stays: a platform that serves other sessions goes on.")
                .optional("STATUS", "the session's exit status, 0 to 255; 0 if left out", Completer.NONE)
                .example(name, "leaves with status 0")
                .example(name + " 3", "leaves a script with status 3")
                .build();
    }

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public void run(Call call) {
        int status = call.argument("STATUS").map(text -> Numbers.whole("The exit status", text, 0, HIGHEST)).orElse(0);
        GogoSession session = ((RunningCall) call).session().orElseThrow(() -> new Refusal(Errno.EOPNOTSUPP,
                "This is not a session of the Manafold shell, so it cannot be ended from here."));
        session.end(status);
    }
}
