package io.manafold.pmd.internal.words;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.regex.Pattern;

/** Refuses what was typed, in sentences that repeat it: a script may have brought it from anywhere to a terminal. */
final class Typed {
    /** What moves a cursor, breaks or turns a line, or is half a character. */
    private static final Pattern NOT_PLAIN = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    private Typed() {
    }

    /** @param sentence with words in it as they were typed */
    static Refusal wrong(String sentence) {
        return new Refusal(Errno.EINVAL, NOT_PLAIN.matcher(sentence).replaceAll("?"));
    }
}
