package io.manafold.shell;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that was probably meant. */
public final class Nearest {
    /** Longer words than this are no slip of the finger. */
    private static final int LONGEST = 64;
    /** Of a single letter every other one is as near. */
    private static final int FEWEST = 2;

    private Nearest() {
    }

    /** The known name with the fewest slips (a letter more, less, wrong, or two swapped), if they are few. */
    public static Optional<String> to(String word, Collection<String> known) {
        if (word.length() > LONGEST || letters(word) < FEWEST) {
            return Optional.empty();
        }
        String typed = word.toLowerCase(Locale.ROOT);
        String best = null;
        int fewest = Math.max(1, (word.length() + 1) / 3) + 1;
        for (String name : known) {
            if (Math.abs(name.length() - typed.length()) < fewest && name.length() <= LONGEST) {
                int slips = slips(typed, name.toLowerCase(Locale.ROOT));
                if (slips < fewest || slips == fewest && best != null && name.compareTo(best) < 0) {
                    fewest = slips;
                    best = name;
                }
            }
        }
        return Optional.ofNullable(best);
    }

    /** How long the word is without dashes before it. */
    private static int letters(String word) {
        int dashes = 0;
        while (dashes < word.length() && word.charAt(dashes) == '-') {
            dashes++;
        }
        return word.length() - dashes;
    }

    private static int slips(String a, String b) {
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replace = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replace, Math.min(last[j], row[j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            beforeLast = last;
            last = row;
        }
        return last[b.length()];
    }
}
