package io.manafold.shell.internal;

import io.manafold.shell.Syntax;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** All commands as a page of Markdown, always in the same order. */
final class CommandReference {
    private CommandReference() {
    }

    static String page(List<Syntax> commands) {
        StringBuilder page = new StringBuilder();
        page.append("# Commands\n\n");
        page.append("Made by `help --markdown` from the commands themselves. `--help` and, where something is "
                + "shown, `--json`\n");
        page.append("(with `--pretty` indented, with `--compact` on one line) and `--watch SECONDS` (shows it again "
                + "and again) work at any place\n");
        page.append("of any command. Exit status: 0 done, 1 refused or failed, 2 not understood.\n");
        Map<String, List<Syntax>> families = commands.stream()
                .collect(Collectors.groupingBy(Syntax::family, TreeMap::new, Collectors.toList()));
        families.forEach((family, members) -> {
            page.append("\n## ").append(family).append('\n');
            members.forEach(command -> command(page, command));
        });
        return page.toString();
    }

    private static void command(StringBuilder page, Syntax command) {
        page.append("\n### ").append(command.name()).append("\n\n");
        body(page, command, command);
        for (Syntax verb : command.verbs()) {
            page.append("\n#### ").append(command.name()).append(' ').append(verb.name()).append("\n\n");
            body(page, command, verb);
        }
    }

    private static void body(StringBuilder page, Syntax command, Syntax about) {
        page.append(escape(about.summary())).append(".\n");
        if (!about.about().isEmpty()) {
            page.append('\n').append(escape(about.about())).append('\n');
        }
        page.append("\n```\n");
        HelpText.synopses(command, about).forEach(line -> page.append(line).append('\n'));
        page.append("```\n");
        if (!about.arguments().isEmpty() || !about.options().isEmpty()) {
            page.append("\n| | |\n|---|---|\n");
            about.arguments().forEach(argument -> row(page, argument.name(), argument.help()));
            about.options().forEach(option -> row(page, HelpText.spelling(option), option.help()));
        }
        if (!about.examples().isEmpty()) {
            page.append("\n| Example | |\n|---|---|\n");
            about.examples().forEach(example -> row(page, example.line(), example.help()));
        }
    }

    private static void row(StringBuilder page, String code, String help) {
        page.append("| `").append(code.replace("|", "\\|")).append("` | ")
                .append(escape(help).replace("|", "\\|")).append(" |\n");
    }

    private static String escape(String text) {
        return text.replace("<", "&lt;").replace("*", "\\*");
    }
}
