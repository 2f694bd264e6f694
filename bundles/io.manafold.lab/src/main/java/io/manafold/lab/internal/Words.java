package io.manafold.lab.internal;

import java.util.Collection;
import java.util.Locale;

/** Other people's words, made fit to stand in a sentence of ours. */
final class Words {
    private static final int LONGEST = 60;

    private Words() {
    }

    /** The text between quotes, without control characters and not too long. */
    static String quote(String text) {
        return "'" + clean(text, LONGEST) + "'";
    }

    /** The text on one line, without control characters. */
    static String clean(String text, int longest) {
        int end = text.length() > longest ? text.offsetByCodePoints(0, text.codePointCount(0, longest)) : text.length();
        StringBuilder shown = new StringBuilder();
        text.substring(0, end).codePoints().forEach(point -> shown.appendCodePoint(isPrintable(point) ? point : '.'));
        return end < text.length() ? shown + "…" : shown.toString();
    }

    private static boolean isPrintable(int point) {
        return switch (Character.getType(point)) {
            // Format characters turn the direction of a line or hide: they do not belong in a message.
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED,
                    Character.PRIVATE_USE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    /** The candidate that takes the fewest slips of the finger to become the word; {@code null} if there is none. */
    static String nearest(String word, Collection<String> candidates) {
        String typed = word.substring(0, Math.min(word.length(), LONGEST)).toLowerCase(Locale.ROOT);
        String best = null;
        int least = Integer.MAX_VALUE;
        for (String candidate : candidates) {
            int distance = distance(typed, candidate.toLowerCase(Locale.ROOT));
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return best;
    }

    /** Insertions, deletions, replacements and swaps of neighbours between two words. */
    private static int distance(String from, String to) {
        int[][] rows = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                rows[i][j] = i == 0 || j == 0 ? i + j : step(from, to, rows, i, j);
            }
        }
        return rows[from.length()][to.length()];
    }

    private static int step(String from, String to, int[][] rows, int i, int j) {
        int replaced = rows[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replaced, Math.min(rows[i - 1][j], rows[i][j - 1]) + 1);
        if (i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1)) {
            least = Math.min(least, rows[i - 2][j - 2] + 1);
        }
        return least;
    }

    static String count(int number, String singular) {
        return number + " " + (number == 1 ? singular : singular + "s");
    }
}
