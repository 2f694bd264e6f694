package io.manafold.shell.internal;

import io.manafold.shell.Candidate;
import io.manafold.shell.Completer;
import io.manafold.shell.Syntax;
import io.manafold.shell.Typed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds what can stand at the cursor. */
final class Completion {
    private static final Logger LOG = LoggerFactory.getLogger(Completion.class);

    private final CommandTable commands;
    private final Supplier<Collection<String>> foreign;

    Completion(CommandTable commands, Supplier<Collection<String>> foreign) {
        this.commands = commands;
        this.foreign = foreign;
    }

    /** Candidates for the word at the end of the text. */
    List<Candidate> complete(String text) {
        LineScanner.Tail tail = LineScanner.tail(text, commands::has);
        if (tail.words().isEmpty()) {
            return names(tail.prefix());
        }
        Optional<CommandTable.Entry> entry = tail.foreign() ? Optional.empty()
                : commands.findSoon(tail.words().getFirst());
        if (entry.isEmpty()) {
            return List.of();
        }
        return words(entry.get().syntax(), tail.words().subList(1, tail.words().size()), tail.prefix()).stream()
                .map(found -> new Candidate(quoted(found.value()), found.description(), found.complete())).toList();
    }

    /** The word as it must be typed to arrive whole. */
    private static String quoted(String word) {
        boolean plain = word.chars().noneMatch(c -> c <= ' ' || "'\"\\;|#".indexOf(c) >= 0);
        if (plain) {
            return word;
        }
        return word.indexOf('\'') < 0 ? "'" + word + "'" : '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Ours, and once a letter stands there also those of Gogo. */
    private List<Candidate> names(String prefix) {
        Map<String, Candidate> found = new LinkedHashMap<>();
        try {
            for (Syntax command : commands.syntaxes(CommandTable.SOON)) {
                found.put(command.name(), new Candidate(command.name(), command.summary(), true));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
        if (!prefix.isEmpty()) {
            foreign.get().forEach(name -> found.putIfAbsent(name, new Candidate(name, "", true)));
        }
        return sift(found.values(), prefix);
    }

    private List<Candidate> words(Syntax command, List<String> words, String prefix) {
        Syntax syntax = command;
        List<String> rest = words;
        if (!command.verbs().isEmpty()) {
            if (words.isEmpty()) {
                return sift(command.verbs().stream()
                        .map(verb -> new Candidate(verb.name(), verb.summary(), true)).toList(), prefix);
            }
            Optional<Syntax> verb =
                    command.verbs().stream().filter(known -> known.name().equals(words.getFirst())).findFirst();
            if (verb.isEmpty()) {
                return List.of();
            }
            syntax = verb.get();
            rest = words.subList(1, words.size());
        }
        return ofSyntax(syntax, words, rest, prefix);
    }

    private static List<Candidate> ofSyntax(Syntax syntax, List<String> words, List<String> rest, String prefix) {
        List<String> positional = new ArrayList<>();
        Syntax.Option open = null;
        for (String word : rest) {
            if (open != null) {
                open = null;
            } else if (word.length() > 1 && word.startsWith("-")) {
                open = syntax.options().stream()
                        .filter(option -> option.takesValue() && option.names().contains(word)).findFirst()
                        .orElse(null);
            } else {
                positional.add(word);
            }
        }
        Typed typed = new TypedWords(prefix, words, syntax, positional);
        if (open != null) {
            return sift(ask(open.completer(), typed), prefix);
        }
        int equals = prefix.indexOf('=');
        if (prefix.startsWith("-") && equals > 0) {
            return assigned(syntax, words, positional, prefix.substring(0, equals), prefix.substring(equals + 1));
        }
        List<Candidate> found = new ArrayList<>();
        if (syntax.raw()) {
            found.addAll(ask(syntax.words(), typed));
        }
        argument(syntax, positional.size()).ifPresent(argument -> found.addAll(ask(argument.completer(), typed)));
        boolean nothingElse = found.isEmpty() && syntax.arguments().size() <= positional.size();
        if (prefix.startsWith("-") || prefix.isEmpty() && nothingElse) {
            syntax.options().forEach(option -> option.names()
                    .forEach(name -> found.add(new Candidate(name, option.help(), true))));
            if (syntax.shows()) {
                found.add(new Candidate(Parsed.JSON, "answers in JSON", true));
                if (words.contains(Parsed.JSON)) {
                    found.add(new Candidate(JsonForm.PRETTY.word, "indented", true));
                    found.add(new Candidate(JsonForm.COMPACT.word, "each object or array on one line", true));
                }
                found.add(new Candidate(Watch.OPTION, Watch.HELP, true));
            }
            found.add(new Candidate(Parsed.HELP, "explains it", true));
        }
        return sift(found, prefix);
    }

    private static List<Candidate> assigned(Syntax syntax, List<String> words, List<String> positional, String name,
            String prefix) {
        return syntax.options().stream().filter(option -> option.takesValue() && option.names().contains(name))
                .findFirst()
                .map(option -> sift(ask(option.completer(), new TypedWords(prefix, words, syntax, positional)), prefix))
                .orElse(List.of()).stream()
                .map(value -> new Candidate(name + "=" + value.value(), value.description(), value.complete()))
                .toList();
    }

    private static Optional<Syntax.Argument> argument(Syntax syntax, int place) {
        List<Syntax.Argument> arguments = syntax.arguments();
        if (place < arguments.size()) {
            return Optional.of(arguments.get(place));
        }
        return arguments.isEmpty() || !arguments.getLast().repeated()
                ? Optional.empty() : Optional.of(arguments.getLast());
    }

    /** A completer belongs to a command's bundle: whatever it throws, the prompt goes on. */
    private static List<Candidate> ask(Completer completer, Typed typed) {
        try {
            return completer.candidates(typed);
        } catch (Throwable e) {
            LOG.debug("A completer failed", e);
            return List.of();
        }
    }

    private static List<Candidate> sift(Collection<Candidate> found, String prefix) {
        return found.stream().filter(candidate -> candidate.value().startsWith(prefix)).distinct().toList();
    }

    /** What a completer is shown. */
    private record TypedWords(String prefix, List<String> words, Syntax syntax, List<String> positional)
            implements Typed {
        @Override
        public Optional<String> argument(String name) {
            for (int i = 0; i < positional.size() && i < syntax.arguments().size(); i++) {
                if (syntax.arguments().get(i).name().equals(name)) {
                    return Optional.of(positional.get(i));
                }
            }
            return Optional.empty();
        }
    }
}
