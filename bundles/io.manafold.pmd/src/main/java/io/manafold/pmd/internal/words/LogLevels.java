package io.manafold.pmd.internal.words;

import java.util.List;
import java.util.Optional;

/**
 * Which messages of an environment are logged: those of a type whose level is no higher than that of the last pattern
 * that the type matches, and by default those up to {@link #NOTICE}.
 */
public record LogLevels(List<Entry> entries) {
    public static final int ERROR = 4;
    public static final int WARNING = 5;
    public static final int NOTICE = 6;
    public static final int INFO = 7;
    public static final int DEBUG = 8;
    private static final List<String> NAMES = List.of("emergency", "alert", "critical", "error", "warning", "notice",
            "info", "debug");

    public LogLevels {
        entries = List.copyOf(entries);
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
        return level <= most;
    }
}
