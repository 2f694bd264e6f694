package io.manafold.shell;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * How a command is written: what help, completion and the reading of its words go by. {@code --json} (and how that
 * is laid out, {@code --pretty} or {@code --compact}), {@code --watch} and {@code --help} belong to every command and
 * are not listed.
 *
 * <pre>{@code
 * Syntax.command("lab", "platform", "Topologies by name")
 *         .verb(Syntax.verb("up", "Brings a lab up")
 *                 .argument("NAME", "the lab", names)
 *                 .option("--wait SECONDS", "how long to wait", Completer.NONE)
 *                 .example("lab up default", "an empty platform"))
 *         .build();
 * }</pre>
 */
public final class Syntax {
    private final String name;
    private final String family;
    private final String summary;
    private final String about;
    private final boolean shows;
    private final boolean raw;
    private final List<String> forms;
    private final List<Option> options;
    private final List<Argument> arguments;
    private final List<Example> examples;
    private final List<Syntax> verbs;
    private final List<String> jsonWords;
    private final String usualVerb;
    private final boolean usualWithWords;
    private final Completer words;

    private Syntax(Builder from) {
        name = from.name;
        family = from.family;
        summary = from.summary;
        about = from.about;
        shows = from.shows;
        raw = from.raw;
        forms = List.copyOf(from.forms);
        options = List.copyOf(from.options);
        arguments = List.copyOf(from.arguments);
        examples = List.copyOf(from.examples);
        verbs = List.copyOf(from.verbs);
        jsonWords = List.copyOf(from.jsonWords);
        usualVerb = from.usualVerb;
        usualWithWords = from.usualWithWords;
        words = from.words;
    }

    /**
     * Something that begins with a dash.
     *
     * @param names how it can be written, the first one being its name: {@code -f}, {@code --follow}
     * @param value what its value is called, in brackets if it may be left out; empty if it takes none
     */
    public record Option(List<String> names, String value, String help, Completer completer) {
        public String name() {
            return names.getFirst();
        }

        public boolean takesValue() {
            return !value.isEmpty();
        }

        /** Whether it means something without its value, too. */
        public boolean mayLackValue() {
            return value.startsWith("[");
        }
    }

    /** Something that is known by its place. */
    public record Argument(String name, boolean required, boolean repeated, String help, Completer completer) {
    }

    /** A line that works as it stands, and what it is good for. */
    public record Example(String line, String help) {
    }

    /** Begins a command. The summary is one line without a full stop. */
    public static Builder command(String name, String family, String summary) {
        return new Builder(name, family, summary);
    }

    /** Begins a verb of a command. */
    public static Builder verb(String name, String summary) {
        return new Builder(name, "", summary);
    }

    public String name() {
        return name;
    }

    /** The group it is listed in; empty for a verb. */
    public String family() {
        return family;
    }

    public String summary() {
        return summary;
    }

    /** What there is to know beyond the summary: paragraphs, perhaps none. */
    public String about() {
        return about;
    }

    /** Whether it shows something, so that {@code --json} makes sense. */
    public boolean shows() {
        return shows;
    }

    /** Whether the command reads its words itself. */
    public boolean raw() {
        return raw;
    }

    /** How it is written after its name, if that does not follow from options and arguments. */
    public List<String> forms() {
        return forms;
    }

    public List<Option> options() {
        return options;
    }

    public List<Argument> arguments() {
        return arguments;
    }

    public List<Example> examples() {
        return examples;
    }

    public List<Syntax> verbs() {
        return verbs;
    }

    /** How else {@code --json} can be written. */
    public List<String> jsonWords() {
        return jsonWords;
    }

    /** The verb that is meant when none is typed, or empty if one has to be. */
    public String usualVerb() {
        return usualVerb;
    }

    /** Whether a first word that is no verb belongs to the usual one. */
    public boolean usualWithWords() {
        return usualWithWords;
    }

    /** What can stand anywhere in a raw command. */
    public Completer words() {
        return words;
    }

    /** Puts a syntax together. */
    public static final class Builder {
        private final String name;
        private final String family;
        private final String summary;
        private String about = "";
        private boolean shows;
        private boolean raw;
        private String usualVerb = "";
        private boolean usualWithWords;
        private Completer words = Completer.NONE;
        private final List<String> jsonWords = new ArrayList<>();
        private final List<String> forms = new ArrayList<>();
        private final List<Option> options = new ArrayList<>();
        private final List<Argument> arguments = new ArrayList<>();
        private final List<Example> examples = new ArrayList<>();
        private final List<Syntax> verbs = new ArrayList<>();

        private Builder(String name, String family, String summary) {
            if (name.isEmpty() || !name.equals("?")
                    && name.chars().anyMatch(c -> !Character.isLetterOrDigit(c) && c != '_' && c != '-')) {
                throw new IllegalArgumentException("'" + name + "' cannot be typed as a command");
            }
            this.name = name;
            this.family = Objects.requireNonNull(family);
            this.summary = Objects.requireNonNull(summary);
        }

        /** Adds a paragraph to what help says beyond the summary. */
        public Builder about(String paragraph) {
            about = about.isEmpty() ? paragraph : about + "\n\n" + paragraph;
            return this;
        }

        /** Says that it shows something, so that {@code --json} makes sense, and how else that can be written. */
        public Builder shows(String... jsonSpellings) {
            shows = true;
            Collections.addAll(jsonWords, jsonSpellings);
            return this;
        }

        /**
         * Says that the command reads its words itself, as one that has flags of its own tradition. Options and
         * arguments that are listed all the same are for help and completion.
         */
        public Builder raw(Completer anywhere) {
            raw = true;
            words = Objects.requireNonNull(anywhere);
            return this;
        }

        /** Adds a way it can be written, without its name; replaces the one made from options and arguments. */
        public Builder form(String form) {
            forms.add(form);
            return this;
        }

        /** Adds an option without a value: {@code "-f, --follow"}. */
        public Builder flag(String spelling, String help) {
            return option(spelling, help, Completer.NONE);
        }

        /**
         * Adds an option; a last word that does not begin with a dash is the value's name: {@code "-n, --last N"}, or
         * {@code "--last [N]"} if the value may be left out, at the end or before another option.
         */
        public Builder option(String spelling, String help, Completer values) {
            List<String> names = new ArrayList<>();
            String value = "";
            for (String part : spelling.split("[ ,]+")) {
                if (!value.isEmpty()) {
                    throw new IllegalArgumentException("'" + spelling + "': nothing can follow the value's name");
                } else if (part.startsWith("-") && part.length() > 1) {
                    names.add(part);
                } else {
                    value = part;
                }
            }
            if (names.isEmpty()) {
                throw new IllegalArgumentException("'" + spelling + "' is no option: it does not begin with a dash");
            }
            options.add(new Option(Collections.unmodifiableList(names), value, help, values));
            return this;
        }

        /** Adds an argument that must be there. */
        public Builder argument(String argument, String help, Completer values) {
            return add(new Argument(argument, true, false, help, values));
        }

        /** Adds an argument that can be left out. */
        public Builder optional(String argument, String help, Completer values) {
            return add(new Argument(argument, false, false, help, values));
        }

        /** Adds a last argument that can be there any number of times. */
        public Builder repeated(String argument, String help, Completer values) {
            return add(new Argument(argument, false, true, help, values));
        }

        private Builder add(Argument argument) {
            if (!arguments.isEmpty()
                    && (arguments.getLast().repeated() || argument.required() && !arguments.getLast().required())) {
                throw new IllegalArgumentException(argument.name() + " cannot follow " + arguments.getLast().name());
            }
            arguments.add(argument);
            return this;
        }

        /** Adds a verb. */
        public Builder verb(Builder verb) {
            verbs.add(verb.build());
            return this;
        }

        /** Names the verb that is meant when none is typed. */
        public Builder usually(String verb) {
            usualVerb = verb;
            return this;
        }

        /** Names the verb that is meant when none is typed, also if its words are: {@code settings mana0}. */
        public Builder usuallyWithWords(String verb) {
            usualWithWords = true;
            return usually(verb);
        }

        /** Adds a line that works as it stands. */
        public Builder example(String line, String help) {
            examples.add(new Example(line, help));
            return this;
        }

        /** The syntax; it needs a summary, and an example unless its verbs have them. */
        public Syntax build() {
            if (summary.isBlank()) {
                throw new IllegalArgumentException(name + " has no summary");
            }
            if (verbs.isEmpty() && examples.isEmpty()) {
                throw new IllegalArgumentException(name + " has no example");
            }
            if (!verbs.isEmpty() && (!arguments.isEmpty() || !options.isEmpty())) {
                throw new IllegalArgumentException(name + " has verbs: options and arguments belong to them");
            }
            return new Syntax(this);
        }
    }
}
