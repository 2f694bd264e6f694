package io.manafold.shell.internal;

import io.manafold.shell.Call;
import io.manafold.shell.Command;
import io.manafold.shell.Completer;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Lists the commands, or explains one. */
final class HelpCommand implements Command {
    /** How long it waits for a command that a bundle has not made yet. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final CommandTable commands;
    private final Syntax syntax;

    HelpCommand(String name, CommandTable commands) {
        this.commands = commands;
        syntax = Syntax.command(name, "shell", "Lists the commands, or explains one")
                .shows()
                .flag("--markdown", "writes the whole command reference as Markdown")
                .optional("COMMAND", "the command to explain", Completer.names(commands::names))
                .optional("VERB", "the verb to explain", typed -> typed.argument("COMMAND").flatMap(commands::findSoon)
                        .map(entry -> entry.syntax().verbs().stream().map(Syntax::name).toList())
                        .map(names -> Completer.names(() -> names).candidates(typed)).orElse(List.of()))
                .example(name, "what there is, by family")
                .example(name + " help", "how help is written")
                .example(name + " --json", "the same for programs")
                .build();
    }

    @Override
    public Syntax syntax() {
        return syntax;
    }

    @Override
    public void run(Call call) throws Exception {
        Optional<String> name = call.argument("COMMAND");
        if (call.flag("--markdown")) {
            if (call.json() || name.isPresent()) {
                throw new UsageError("--markdown writes all there is, and only as Markdown.");
            }
            call.out().print(CommandReference.page(commands.syntaxes(PATIENCE)));
        } else if (name.isPresent()) {
            explain(call, name.get());
        } else if (call.json()) {
            call.print(commands.syntaxes(PATIENCE).stream().map(HelpText::fields).toList());
        } else {
            call.out().print(list());
        }
    }

    private void explain(Call call, String name) throws Exception {
        Optional<CommandTable.Entry> entry = commands.find(name);
        Optional<GogoSession> session = ((RunningCall) call).session();
        if (entry.isEmpty() && !call.json() && session.isPresent() && session.get().explainsForeign(name)) {
            return;
        }
        Syntax command = entry.orElseThrow(() -> UsageError.unknown("command", name, commands.names())).syntax();
        Syntax about = command;
        Optional<String> verb = call.argument("VERB");
        if (verb.isPresent()) {
            about = command.verbs().stream().filter(known -> known.name().equals(verb.get())).findFirst()
                    .orElseThrow(() -> UsageError.unknown("verb of " + name, verb.get(),
                            command.verbs().stream().map(Syntax::name).toList()));
        }
        if (call.json()) {
            call.print(HelpText.fields(command));
        } else {
            call.out().print(HelpText.full(command, about));
        }
    }

    private String list() throws InterruptedException {
        Map<String, List<Syntax>> families = commands.syntaxes(PATIENCE).stream()
                .collect(Collectors.groupingBy(Syntax::family, TreeMap::new, Collectors.toList()));
        StringBuilder text = new StringBuilder();
        families.forEach((family, members) -> {
            List<String[]> rows = new ArrayList<>();
            members.forEach(command -> rows.add(new String[] {command.name(), command.summary()}));
            text.append(text.isEmpty() ? "" : "\n").append(family).append('\n').append(HelpText.columns(rows));
        });
        text.append("\n'help COMMAND' explains one, with examples. The commands of the OSGi\n"
                + "framework (lb, start, stop, grep ...) work beside these.\n");
        return text.toString();
    }
}
