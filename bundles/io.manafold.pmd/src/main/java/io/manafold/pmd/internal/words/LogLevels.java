package io.manafold.pmd.internal.words;

import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which messages of an environment are logged: those of a type whose level is no higher than that of the last pattern
 * that the type matches, and by default those up to {@link #NOTICE}; none whose level is above the global one.
 */
public record LogLevels(List<Entry> entries, int global) {
    public static final int ERROR = 4;
    public static final int WARNING = 5;
    public static final int NOTICE = 6;
    public static final int INFO = 7;
    public static final int DEBUG = 8;
    private static final String GLOBAL = "global";
    private static final List<String> NAMES = List.of("emergency", "alert", "critical", "error", "warning", "notice",
            "info", "debug");

    public LogLevels {
        entries = List.copyOf(entries);
    }

    /** With no level that holds for all types besides their own. */
    public LogLevels(List<Entry> entries) {
        this(entries, DEBUG);
    }

    /**
     * These with another level of some types.
     *
     * @param known the types that there are
     * @param types a {@link TypeExpression} that is found in some of them, or {@code global}
     * @throws Refusal {@code EINVAL} if it is neither, and for a level that is none
     */
    public LogLevels with(List<String> known, String types, int level) {
        if (level < 1 || level > DEBUG) {
            throw Typed.wrong("Unable to set log level: levels are from 1 to " + DEBUG + ", and " + level
                    + " is none.");
        }
        if (types.equals(GLOBAL)) {
            return new LogLevels(entries, level);
        }
        TypeExpression expression = new TypeExpression(types);
        List<String> found = known.stream().filter(expression::isIn).toList();
        if (found.isEmpty()) {
            throw Typed.wrong("Unable to set log level: no type of messages has '" + types
                    + "' in it; types are " + String.join(", ", known) + ", and 'global' is for all.");
        }
        List<Entry> all = new ArrayList<>(entries);
        all.removeIf(entry -> found.contains(entry.types()));
        found.forEach(type -> all.add(new Entry(type, level)));
        return new LogLevels(all, global);
    }

    /**
     * A word of {@code --log-level}.
     *
     * @param types that it is for
     */
    public record Entry(String types, int level) {
    }

    /**
     * Reads {@code debug}, {@code 8}, {@code pmd.net.mana.*:debug} and {@code pmd.net.mana.init,8}; empty if it is none
     * of these.
     */
    static Optional<Entry> parse(String word) {
        int at = Math.max(word.lastIndexOf(','), word.lastIndexOf(':'));
        String name = word.substring(at + 1);
        int level = NAMES.indexOf(name) + 1;
        if (level == 0 && name.length() == 1 && name.charAt(0) >= '1' && name.charAt(0) <= '8') {
            level = name.charAt(0) - '0';
        }
        return level == 0 ? Optional.empty() : Optional.of(new Entry(at < 0 ? "*" : word.substring(0, at), level));
    }

    /** Whether a text is as a pattern says, in which a star stands for any characters and a question mark for one. */
    static boolean matches(String pattern, String text) {
        int at = 0;
        int star = -1;
        int back = 0;
        for (int i = 0; i < text.length();) {
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                star = at++;
                back = i;
            } else if (at < pattern.length() && (pattern.charAt(at) == '?' || pattern.charAt(at) == text.charAt(i))) {
                at++;
                i++;
            } else if (star >= 0) {
                at = star + 1;
                i = ++back;
            } else {
                return false;
            }
        }
        while (at < pattern.length() && pattern.charAt(at) == '*') {
            at++;
        }
        return at == pattern.length();
    }

    /** Whether a message is logged. */
    public boolean isLogged(String type, int level) {
        int most = NOTICE;
        for (Entry entry : entries) {
            if (matches(entry.types(), type)) {
                most = entry.level();
            }
        }
        return level <= Math.min(most, global);
    }
}
