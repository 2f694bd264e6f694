package io.manafold.shell.internal;

import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Syntax;

/** Empties the terminal. */
final class ClearCommand implements Command {
    /**
     * Cursor to the first place, then erase what is seen and what was scrolled away (ECMA-48, and xterm for the last).
     */
    private static final String ERASE = "\u001b[H\u001b[2J\u001b[3J";

    @Override
    public Syntax syntax() {
        return Syntax.command("clear", "shell", "Empties the terminal").example("clear", "an empty terminal").build();
    }

    @Override
    public void run(Call call) {
        call.out().print(ERASE);
    }
}
