package io.manafold.testpmd.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Lines that the prompt knows. A form is words: one or several with bars between are typed as they are, capitals stand
 * for a value, and three dots for any number of values.
 */
final class Grammar {
    private static final int LONGEST = 4096;
    private static final String REST = "...";

    private final List<Form> forms = new ArrayList<>();

    /** A form and what carries it out: all words of the line in, text out. */
    private record Form(List<String> parts, String group, String help, Function<List<String>, String> action) {
        private boolean fits(int at, String word) {
            String part = at < parts.size() ? parts.get(at) : parts.getLast();
            return isValue(part) ? at < parts.size() || part.endsWith(REST) : hasTyped(at, word);
        }

        /** Whether the word is one of those that stand there as they are typed. */
        private boolean hasTyped(int at, String word) {
            return at < parts.size() && !isValue(parts.get(at)) && List.of(parts.get(at).split("[|]")).contains(word);
        }

        private boolean isWhole(int words) {
            return words == parts.size() || words > parts.size() && parts.getLast().endsWith(REST);
        }
    }

    private static boolean isValue(String part) {
        return Character.isUpperCase(part.charAt(0));
    }

    void add(String group, String form, String help, Function<List<String>, String> action) {
        forms.add(new Form(List.of(form.split(" ")), group, help, action));
    }

    /** Carries a line out. */
    String run(String line) {
        if (line.length() > LONGEST) {
            throw Words.wrong("A line has at most " + LONGEST + " characters.");
        }
        List<String> words = words(line);
        if (words.isEmpty()) {
            return "";
        }
        List<Form> left = forms;
        for (int at = 0; at < words.size(); at++) {
            List<Form> fit = fit(left, at, words.get(at));
            if (fit.isEmpty()) {
                throw Words.wrong(wrong(left, words, at));
            }
            left = fit;
        }
        List<Form> whole = left.stream().filter(form -> form.isWhole(words.size())).toList();
        if (whole.isEmpty()) {
            throw Words.wrong("Bad arguments: '" + Words.shown(line.strip()) + "' is no whole line; it goes on with "
                    + String.join(", ", next(left, words.size(), "")) + ".");
        }
        return whole.getFirst().action.apply(words);
    }

    /** Those that a word fits, or those alone that have it as it is typed, if there are any: it is no value then. */
    private static List<Form> fit(List<Form> among, int at, String word) {
        List<Form> typed = among.stream().filter(form -> form.hasTyped(at, word)).toList();
        return typed.isEmpty() ? among.stream().filter(form -> form.fits(at, word)).toList() : typed;
    }

    private static String wrong(List<Form> before, List<String> words, int at) {
        String word = words.get(at);
        TreeSet<String> meant = next(before, at, word);
        if (meant.size() > 1) {
            return "Ambiguous command: '" + Words.shown(word) + "' may be " + String.join(", ", meant) + ".";
        }
        String hint = meant.isEmpty() ? "" : "; '" + meant.first() + "' is perhaps meant";
        TreeSet<String> may = next(before, at, "");
        if (at == 0) {
            return "Command not found: '" + Words.shown(word) + "'" + hint + "; 'help' lists those there are.";
        }
        return "Bad arguments: '" + Words.shown(word) + "' cannot follow '"
                + Words.shown(String.join(" ", words.subList(0, at))) + "'" + hint
                + (may.isEmpty() ? ", which is a whole line." : ": there may be " + String.join(", ", may) + ".");
    }

    private static TreeSet<String> next(List<Form> among, int at, String prefix) {
        TreeSet<String> words = new TreeSet<>();
        for (Form form : among) {
            if (at < form.parts.size()) {
                for (String word : form.parts.get(at).split("[|]")) {
                    if (word.startsWith(prefix) && (prefix.isEmpty() || !isValue(word))) {
                        words.add(word);
                    }
                }
            }
        }
        return words;
    }

    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        // dump_mempool is dump mempool, which is how versions of the real program differ
        for (String word : line.strip().replaceFirst("^dump_", "dump ").split("\\s+")) {
            if (word.startsWith("#")) {
                break;
            }
            if (!word.isEmpty()) {
                words.add(word);
            }
        }
        return words;
    }

    /** Words that may stand at the end of a line, where the last one may have begun. */
    List<String> completions(String line) {
        if (line.length() > LONGEST) {
            return List.of();
        }
        List<String> words = words(line);
        boolean begun = !words.isEmpty() && !line.endsWith(" ");
        String prefix = begun ? words.removeLast() : "";
        List<Form> left = forms;
        for (int at = 0; at < words.size(); at++) {
            left = fit(left, at, words.get(at));
        }
        return next(left, words.size(), prefix).stream().filter(word -> !isValue(word)).toList();
    }

    /** All forms, or those of a group. */
    String help(String group) {
        StringBuilder text = new StringBuilder();
        for (Form form : forms) {
            if (group.equals("all") || form.group.equals(group)) {
                text.append("  ").append(String.join(" ", form.parts)).append("\n      ").append(form.help)
                        .append('\n');
            }
        }
        return text.toString();
    }
}
