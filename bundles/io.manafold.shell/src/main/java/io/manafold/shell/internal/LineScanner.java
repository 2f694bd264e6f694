package io.manafold.shell.internal;

import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Takes a line apart, one statement at a time. The words of our commands are taken as they are, only quotes group and a
 * backslash takes the meaning from a blank, a quote, a divider or itself; everything else is left to Gogo, so that its
 * brackets, quotes and comments are only stepped over.
 */
final class LineScanner {
    private static final String ESCAPED = " \t\"'\\;|#";

    private final String line;
    private final Predicate<String> ours;
    private int at;
    private boolean otherwise;
    /** The words so far and the unfinished one, for completion. */
    private List<String> words = new ArrayList<>();
    private StringBuilder word;
    private boolean foreign;

    LineScanner(String line, Predicate<String> ours) {
        this.line = line;
        this.ours = ours;
    }

    /**
     * The next statement, or null at the end.
     *
     * @throws UsageError if a quote stays open or a pipe leads nowhere
     */
    Statement next() {
        boolean onlyAfterFailure = otherwise;
        otherwise = false;
        List<Stage> stages = new ArrayList<>();
        skipBlanks(true);
        int start = at;
        while (true) {
            skipBlanks(false);
            Stage stage = atEnd() ? null : stage();
            if (stage == null) {
                if (!stages.isEmpty()) {
                    throw new UsageError("There is no command after the last '|'.");
                }
                if (at >= line.length()) {
                    return null;
                }
                throw new UsageError("There is no command before '" + line.charAt(at) + "' at character " + (at + 1)
                        + ".");
            }
            stages.add(stage);
            int end = at;
            if (!divider()) {
                return new Statement(stages, line.substring(start, end), onlyAfterFailure);
            }
        }
    }

    /** Steps over what divides; true if it was a pipe. */
    private boolean divider() {
        if (at >= line.length()) {
            return false;
        }
        if (starts("||") || starts("&&")) {
            otherwise = line.charAt(at) == '|';
            at += 2;
            return false;
        }
        boolean pipe = line.charAt(at++) == '|';
        if (pipe && starts("&")) {
            at++;
        }
        return pipe;
    }

    private Stage stage() {
        words = new ArrayList<>();
        word = null;
        foreign = false;
        int start = at;
        int end = start;
        while (end < line.length() && !isBlank(line.charAt(end)) && ";|\n#'\"".indexOf(line.charAt(end)) < 0) {
            end++;
        }
        String name = line.substring(start, end);
        String plain = name.startsWith("manafold:") ? name.substring("manafold:".length()) : name;
        if (ours.test(plain)) {
            at = end;
            words.add(plain);
            return new Stage.Ours(plain, ourWords());
        }
        foreign = true;
        return foreignText(start);
    }

    private List<String> ourWords() {
        while (true) {
            skipBlanks(false);
            if (atEnd() || starts("&&") && (at + 2 >= line.length() || isBlank(line.charAt(at + 2)))) {
                return List.copyOf(words.subList(1, words.size()));
            }
            word = new StringBuilder();
            while (!atEnd() && !isBlank(line.charAt(at))) {
                char c = line.charAt(at);
                if (c == '\'' || c == '"') {
                    quoted(c);
                } else if (c == '\\' && at + 1 < line.length() && ESCAPED.indexOf(line.charAt(at + 1)) >= 0) {
                    word.append(line.charAt(at + 1));
                    at += 2;
                } else if (starts("\\\n")) {
                    at += 2;
                } else {
                    word.append(c);
                    at++;
                }
            }
            if (at < line.length()) {
                words.add(word.toString());
                word = null;
            } else {
                List<String> all = new ArrayList<>(words.subList(1, words.size()));
                all.add(word.toString());
                return List.copyOf(all);
            }
        }
    }

    private void quoted(char quote) {
        int opened = at++;
        while (at < line.length() && line.charAt(at) != quote) {
            char c = line.charAt(at);
            if (quote == '"' && c == '\\' && at + 1 < line.length() && "\"\\".indexOf(line.charAt(at + 1)) >= 0) {
                c = line.charAt(++at);
            }
            word.append(c);
            at++;
        }
        if (at >= line.length()) {
            throw new UsageError("The quote " + quote + " at character " + (opened + 1) + " is not closed.");
        }
        at++;
    }

    /** Up to the next divider outside brackets and quotes. What does not balance is for Gogo to explain. */
    private Stage foreignText(int start) {
        StringBuilder text = new StringBuilder();
        int depth = 0;
        while (at < line.length()) {
            char c = line.charAt(at);
            if (depth == 0 && (c == ';' || c == '|' || c == '\n' || starts("&&"))) {
                break;
            }
            if (c == '#' && (at == start || isBlank(line.charAt(at - 1)) || line.charAt(at - 1) == '\n')) {
                skipComment();
                continue;
            }
            int from = at++;
            if (c == '\\' && at < line.length()) {
                at++;
            } else if (c == '\'' || c == '"') {
                skipQuoted(c);
            } else if (c == '(' || c == '{' || c == '[') {
                depth++;
            } else if (c == ')' || c == '}' || c == ']') {
                depth--;
            }
            text.append(line, from, at);
        }
        return new Stage.Foreign(text.toString().strip());
    }

    private void skipQuoted(char quote) {
        while (at < line.length() && line.charAt(at) != quote) {
            at += quote == '"' && line.charAt(at) == '\\' ? 2 : 1;
        }
        at = Math.min(at + 1, line.length());
    }

    /** Steps over blanks and comments, and between statements over empty ones as well. */
    private void skipBlanks(boolean betweenStatements) {
        while (at < line.length()) {
            char c = line.charAt(at);
            if (isBlank(c) || betweenStatements && (c == '\n' || c == ';')) {
                at++;
            } else if (c == '\\' && at + 1 < line.length() && line.charAt(at + 1) == '\n') {
                at += 2;
            } else if (c == '#') {
                skipComment();
            } else {
                return;
            }
        }
    }

    private void skipComment() {
        while (at < line.length() && line.charAt(at) != '\n') {
            at++;
        }
    }

    private boolean atEnd() {
        return at >= line.length() || line.charAt(at) == ';' || line.charAt(at) == '\n' || line.charAt(at) == '|';
    }

    private boolean starts(String mark) {
        return line.startsWith(mark, at);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == 0x0b;
    }

    /** What stands before the cursor of an unfinished line. */
    record Tail(List<String> words, String prefix, boolean foreign) {
    }

    /** The words of the last command of the text, and the word that is being typed. */
    static Tail tail(String text, Predicate<String> ours) {
        LineScanner scanner = new LineScanner(text, ours);
        int after = 0;
        boolean divided = true;
        try {
            while (scanner.next() != null) {
                after = scanner.at;
                divided = after > 0 && after <= text.length() && ";|&\n".indexOf(text.charAt(after - 1)) >= 0;
            }
        } catch (UsageError unfinished) {
            divided = scanner.words.isEmpty() && !scanner.foreign;
            if (text.stripTrailing().endsWith("|")) {
                return new Tail(List.of(), "", false);
            }
        }
        return scanner.tail(text, divided && text.substring(after).isBlank() && scanner.word == null);
    }

    private Tail tail(String text, boolean fresh) {
        if (fresh) {
            return new Tail(List.of(), "", false);
        }
        if (foreign) {
            int start = text.length();
            while (start > 0 && " \t\n;|(){}[]".indexOf(text.charAt(start - 1)) < 0) {
                start--;
            }
            String prefix = text.substring(start);
            String before = text.substring(0, start).stripTrailing();
            boolean first = before.isEmpty() || ";|\n({".indexOf(before.charAt(before.length() - 1)) >= 0;
            return new Tail(first ? List.of() : List.of(before), prefix, true);
        }
        if (word == null && words.size() == 1 && text.endsWith(words.getFirst())) {
            return new Tail(List.of(), words.getFirst(), false);
        }
        return new Tail(List.copyOf(words), word == null ? "" : word.toString(), false);
    }
}
