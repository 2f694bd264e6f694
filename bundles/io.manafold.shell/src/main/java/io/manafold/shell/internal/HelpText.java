package io.manafold.shell.internal;

import io.manafold.shell.Fields;
import io.manafold.shell.Syntax;
import java.util.ArrayList;
import java.util.List;

/** Says how commands are written. */
final class HelpText {
    private static final int WIDTH = Streams.TERMINAL;
    private static final String USAGE = "usage: ";

    private HelpText() {
    }

    /** The ways to write a command, or the one verb of it that it is about. */
    static List<String> synopses(Syntax command, Syntax about) {
        List<String> lines = new ArrayList<>();
        if (!about.verbs().isEmpty()) {
            about.verbs().forEach(verb -> lines.addAll(synopses(command, verb)));
            return lines;
        }
        String name = about == command ? command.name() : command.name() + " " + about.name();
        if (about.forms().isEmpty()) {
            StringBuilder line = new StringBuilder(name);
            about.options().forEach(option -> line.append(" [").append(withValue(option, option.name())).append(']'));
            line.append(placed(about.arguments()));
            lines.add(line.toString());
        } else {
            about.forms().forEach(form -> lines.add((name + " " + form).strip()));
        }
        if (about.shows()) {
            lines.set(0, lines.getFirst() + " [--json]");
        }
        return lines;
    }

    /** Arguments that can be left out stand in brackets, each inside the one without which it makes no sense. */
    private static String placed(List<Syntax.Argument> arguments) {
        StringBuilder text = new StringBuilder();
        int open = 0;
        for (Syntax.Argument argument : arguments) {
            boolean optional = !argument.required();
            text.append(optional ? " [" : " ").append(argument.name()).append(argument.repeated() ? "..." : "");
            open += optional ? 1 : 0;
        }
        return text.append("]".repeat(open)).toString();
    }

    private static String withValue(Syntax.Option option, String spelling) {
        return option.takesValue() ? spelling + " " + option.value() : spelling;
    }

    /** All names of an option and its value. */
    static String spelling(Syntax.Option option) {
        return withValue(option, String.join(", ", option.names()));
    }

    /** The lines that follow a sentence on wrong usage. */
    static String usage(Syntax command, Syntax about) {
        StringBuilder text = new StringBuilder();
        String lead = USAGE;
        for (String synopsis : synopses(command, about)) {
            for (String part : TextLayout.wrap(synopsis, WIDTH - USAGE.length())) {
                text.append(text.isEmpty() ? "" : "\n").append(lead).append(part);
                lead = " ".repeat(USAGE.length());
            }
        }
        return text.toString();
    }

    /** Everything on a command or one of its verbs. */
    static String full(Syntax command, Syntax about) {
        StringBuilder text = new StringBuilder();
        text.append(usage(command, about)).append("\n\n");
        paragraph(text, about.summary() + ".");
        for (String paragraph : about.about().split("\n\n")) {
            paragraph(text, paragraph);
        }
        List<String[]> rows = new ArrayList<>();
        about.verbs().forEach(verb -> rows.add(new String[] {verb.name(), verb.summary()}));
        section(text, about.usualVerb().isEmpty() ? "verbs" : "verbs, " + about.usualVerb()
                + " if none is typed", rows);
        rows.clear();
        about.arguments().forEach(argument -> rows.add(new String[] {argument.name(), argument.help()}));
        section(text, "arguments", rows);
        rows.clear();
        about.options().forEach(option -> rows.add(new String[] {spelling(option), option.help()}));
        if (about.shows()) {
            List<String> spellings = new ArrayList<>(List.of(Parsed.JSON));
            spellings.addAll(command.jsonWords());
            rows.add(new String[] {String.join(", ", spellings), "answers in JSON"});
            rows.add(new String[] {JsonForm.PRETTY.word + ", " + JsonForm.COMPACT.word, JsonForm.HELP});
            rows.add(new String[] {Watch.OPTION + " " + Watch.VALUE, Watch.HELP});
        }
        section(text, "options", rows);
        rows.clear();
        examples(about).forEach(example -> rows.add(new String[] {example.line(), example.help()}));
        section(text, "examples", rows);
        return text.toString();
    }

    /** A command's examples, or the ones of its verbs. */
    static List<Syntax.Example> examples(Syntax syntax) {
        List<Syntax.Example> examples = new ArrayList<>(syntax.examples());
        if (examples.isEmpty()) {
            syntax.verbs().forEach(verb -> examples.addAll(verb.examples()));
        }
        return examples;
    }

    private static void paragraph(StringBuilder text, String paragraph) {
        if (!paragraph.isBlank()) {
            TextLayout.wrap(paragraph.strip(), WIDTH).forEach(line -> text.append(line).append('\n'));
        }
    }

    private static void section(StringBuilder text, String title, List<String[]> rows) {
        if (rows.isEmpty()) {
            return;
        }
        text.append('\n').append(title).append('\n');
        text.append(columns(rows));
    }

    /** Two columns, indented; a name that is too long for the first has a line of its own. */
    static String columns(List<String[]> rows) {
        int widest = 0;
        for (String[] row : rows) {
            widest = row[0].length() <= 32 ? Math.max(widest, row[0].length()) : widest;
        }
        int indent = widest == 0 ? 8 : widest + 4;
        StringBuilder text = new StringBuilder();
        for (String[] row : rows) {
            String lead = "  " + row[0];
            if (row[0].length() > widest) {
                text.append(lead).append('\n');
                lead = "";
            }
            for (String line : TextLayout.wrap(row[1], WIDTH - indent)) {
                text.append(lead).append(" ".repeat(indent - lead.length())).append(line).append('\n');
                lead = "";
            }
        }
        return text.toString();
    }

    /** All of a command for programs. */
    static Fields fields(Syntax command) {
        return fields(command, command).and("family", command.family())
                .and("verbs", command.verbs().stream().map(verb -> fields(command, verb)).toList());
    }

    private static Fields fields(Syntax command, Syntax about) {
        return Fields.of("name", about.name())
                .and("summary", about.summary())
                .and("about", about.about())
                .and("synopsis", synopses(command, about))
                .and("json", about.shows())
                .and("arguments", about.arguments().stream().map(argument -> Fields.of("name", argument.name())
                        .and("required", argument.required())
                        .and("repeated", argument.repeated())
                        .and("help", argument.help())).toList())
                .and("options", about.options().stream().map(option -> Fields.of("names", option.names())
                        .and("value", option.takesValue() ? option.value() : null)
                        .and("help", option.help())).toList())
                .and("examples", about.examples().stream().map(example -> Fields.of("line", example.line())
                        .and("help", example.help())).toList());
    }
}
