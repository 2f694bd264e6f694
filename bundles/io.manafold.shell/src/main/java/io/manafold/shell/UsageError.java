package io.manafold.shell;

import java.util.Collection;
import java.util.function.Function;

/** Words that do not make a command. The shell adds how the command is written, or where to read it. */
public final class UsageError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean unknown;

    public UsageError(String sentence) {
        this(sentence, false);
    }

    private UsageError(String sentence, boolean unknown) {
        super(sentence, null, false, false);
        this.unknown = unknown;
    }

    /**
     * What a word says, by the parser of its type.
     *
     * @param parser refuses with an {@link IllegalArgumentException} whose message is a sentence without its full stop
     * @throws UsageError with that sentence
     */
    public static <T> T reading(String word, Function<String, T> parser) {
        try {
            return parser.apply(word);
        } catch (IllegalArgumentException wrong) {
            throw new UsageError(wrong.getMessage() + ".");
        }
    }

    /** Whether a single word is wrong, so that the sentence says enough without how all the others are written. */
    public boolean isUnknownWord() {
        return unknown;
    }

    /** For a name that is not among those there are: says so, and which one was perhaps meant. */
    public static UsageError unknown(String kind, String name, Collection<String> known) {
        String sentence = "There is no " + kind + " '" + name + "'";
        String hint = Nearest.to(name, known).map(near -> "; did you mean '" + near + "'?").orElse(".");
        return new UsageError(sentence + hint, true);
    }
}
