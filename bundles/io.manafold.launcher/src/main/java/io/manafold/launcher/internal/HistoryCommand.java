package io.manafold.launcher.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.launcher.internal.lines.HistoryFile;
import io.manafold.launcher.internal.words.Texts;
import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** Shows the lines that were typed at prompts on this data folder. */
final class HistoryCommand implements Command {
    static final String CALLED = "history";
    private static final String LAST = "--last";
    private static final int MOST = 100_000;

    private final Path file;

    HistoryCommand(Path file) {
        this.file = file;
    }

    @Override
    public Syntax syntax() {
        return Syntax.command(CALLED, "shell", "Shows the lines that were typed at prompts").shows()
                .option(LAST + " N", "only the last N lines", Completer.NONE)
                .example("history", "all that is kept")
                .example("history --last 5", "the last five lines")
                .build();
    }

    @Override
    public void run(Call call) {
        int last = call.number(LAST, 1, MOST).orElse(MOST);
        List<String> lines = lines();
        Table table = new Table().column("NUMBER", "number").column("LINE", "line");
        for (int i = Math.max(0, lines.size() - last); i < lines.size(); i++) {
            table.row(i + 1, lines.get(i));
        }
        call.print(table);
    }

    private List<String> lines() {
        try {
            return HistoryFile.lines(file);
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new Refusal(Errno.EIO, "The history " + file + " cannot be read: " + Texts.reason(e) + ".");
        }
    }
}
