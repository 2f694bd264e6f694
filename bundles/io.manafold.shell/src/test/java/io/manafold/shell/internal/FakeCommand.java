package io.manafold.shell.internal;

import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Syntax;

/** A command made of a syntax and what it does. */
record FakeCommand(Syntax syntax, Body body) implements Command {
    interface Body {
        void run(Call call) throws Exception;
    }

    @Override
    public void run(Call call) throws Exception {
        body.run(call);
    }
}
