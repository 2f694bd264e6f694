package io.manafold.shell.internal;

import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The words of a call, read by a syntax.
 *
 * @param syntax the command's, or that of the verb that was used
 * @param verb empty without one
 * @param options values by the option's name, an empty one for a flag
 * @param arguments words by the argument's name
 * @param words all words less {@code --json} and what stands beside it
 * @param form how JSON is laid out
 */
record Parsed(Syntax syntax, String verb, Map<String, List<String>> options, Map<String, List<String>> arguments,
        List<String> words, boolean json, JsonForm form) {
    static final String JSON = "--json";
    static final String HELP = "--help";

    static Parsed read(Syntax command, List<String> typed) {
        List<String> words = new ArrayList<>(typed);
        boolean json = words.removeIf(word -> isJson(command, word));
        JsonForm form = JsonForm.take(command, words, json);
        Syntax syntax = command;
        int next = 0;
        if (!command.verbs().isEmpty()) {
            boolean typedNone = words.isEmpty() || words.getFirst().startsWith("-");
            boolean usual = typedNone ? !command.usualVerb().isEmpty() : command.usualWithWords()
                    && command.verbs().stream().noneMatch(verb -> verb.name().equals(words.getFirst()));
            syntax = usual ? verb(command, List.of(command.usualVerb())) : verb(command, words);
            next = usual ? 0 : 1;
        }
        String verb = syntax == command ? "" : syntax.name();
        String title = syntax == command ? command.name() : command.name() + " " + verb;
        if (json && !syntax.shows()) {
            throw new UsageError(title + " shows nothing, so there is nothing for --json to show.");
        }
        Parsed parsed = new Parsed(syntax, verb, new LinkedHashMap<>(), new LinkedHashMap<>(), List.copyOf(words),
                json, form);
        if (!syntax.raw()) {
            parsed.read(title, words.subList(next, words.size()));
        }
        return parsed;
    }

    /** Whether a word asks for JSON: it may stand anywhere. */
    static boolean isJson(Syntax command, String word) {
        return word.equals(JSON) || command.jsonWords().contains(word);
    }

    /** The syntax of the verb that was typed, or of the command if none was: for help, which takes anything. */
    static Syntax about(Syntax command, List<String> words) {
        for (String word : words) {
            for (Syntax verb : command.verbs()) {
                if (verb.name().equals(word)) {
                    return verb;
                }
            }
        }
        return command;
    }

    private static Syntax verb(Syntax command, List<String> words) {
        List<String> names = command.verbs().stream().map(Syntax::name).toList();
        if (words.isEmpty() || words.getFirst().startsWith("-")) {
            throw new UsageError(command.name() + " needs to know what to do: " + String.join(", ", names) + ".");
        }
        for (Syntax verb : command.verbs()) {
            if (verb.name().equals(words.getFirst())) {
                return verb;
            }
        }
        throw UsageError.unknown("verb of " + command.name(), words.getFirst(), names);
    }

    private void read(String title, List<String> rest) {
        List<String> positional = new ArrayList<>();
        boolean optionsEnded = false;
        for (int i = 0; i < rest.size(); i++) {
            String word = rest.get(i);
            if (optionsEnded || word.length() < 2 || word.charAt(0) != '-') {
                positional.add(word);
            } else if (word.equals("--")) {
                optionsEnded = true;
            } else {
                i += option(title, word, i + 1 < rest.size() ? rest.get(i + 1) : null, positional);
            }
        }
        assign(title, positional);
    }

    /** Reads one word that begins with a dash; returns how many further words it has used. */
    private int option(String title, String word, String following, List<String> positional) {
        Syntax.Option option = find(word);
        if (option != null) {
            boolean bare = option.mayLackValue() && (following == null || following.startsWith("-"));
            if (option.takesValue() && !bare && following == null) {
                throw new UsageError(word + " needs a value: " + word + " " + option.value() + ".");
            }
            boolean used = option.takesValue() && !bare;
            add(option, used ? following : "");
            return used ? 1 : 0;
        }
        int equals = word.indexOf('=');
        Syntax.Option assigned = equals < 0 ? null : find(word.substring(0, equals));
        if (assigned != null) {
            if (!assigned.takesValue()) {
                throw new UsageError(word.substring(0, equals) + " takes no value.");
            }
            add(assigned, word.substring(equals + 1));
            return 0;
        }
        int used = word.startsWith("--") ? -1 : cluster(word, following);
        if (used >= 0) {
            return used;
        }
        if (Character.isDigit(word.charAt(1))) {
            positional.add(word);
            return 0;
        }
        List<String> names = new ArrayList<>(List.of(HELP));
        syntax.options().forEach(known -> names.addAll(known.names()));
        if (syntax.shows()) {
            names.add(JSON);
        }
        throw UsageError.unknown("option of " + title, word, names);
    }

    /** Reads {@code -kv} as {@code -k -v}, and {@code -d1414:} as {@code -d 1414:}; -1 if the word is no such thing. */
    private int cluster(String word, String following) {
        List<Syntax.Option> flags = new ArrayList<>();
        for (int i = 1; i < word.length(); i++) {
            Syntax.Option option = find("-" + word.charAt(i));
            if (option == null || option.takesValue() && i + 1 == word.length() && following == null) {
                return -1;
            }
            if (option.takesValue()) {
                flags.forEach(flag -> add(flag, ""));
                boolean inside = i + 1 < word.length();
                add(option, inside ? word.substring(i + 1) : following);
                return inside ? 0 : 1;
            }
            flags.add(option);
        }
        flags.forEach(flag -> add(flag, ""));
        return 0;
    }

    private Syntax.Option find(String name) {
        for (Syntax.Option option : syntax.options()) {
            if (option.names().contains(name)) {
                return option;
            }
        }
        return null;
    }

    private void add(Syntax.Option option, String value) {
        options.computeIfAbsent(option.name(), name -> new ArrayList<>()).add(value);
    }

    private void assign(String title, List<String> positional) {
        int next = 0;
        for (Syntax.Argument argument : syntax.arguments()) {
            if (argument.repeated()) {
                arguments.put(argument.name(), List.copyOf(positional.subList(next, positional.size())));
                next = positional.size();
            } else if (next < positional.size()) {
                arguments.put(argument.name(), List.of(positional.get(next++)));
            } else if (argument.required()) {
                throw new UsageError(title + " needs " + argument.name() + ": " + argument.help() + ".");
            }
        }
        if (next < positional.size()) {
            throw new UsageError("'" + positional.get(next) + "' is one word too many for " + title + ".");
        }
    }
}
