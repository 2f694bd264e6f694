package io.manafold.shell.internal;

import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.util.List;

/** How JSON is laid out: as the command has it, or as a word beside {@code --json} says. */
enum JsonForm {
    USUAL(""), PRETTY("--pretty"), COMPACT("--compact");

    /** For help. */
    static final String HELP = "with " + Parsed.JSON + ": indented, or each object or array on one line";

    final String word;

    JsonForm(String word) {
        this.word = word;
    }

    /**
     * Takes the words about it out of the others; where JSON is asked for, so that elsewhere they can mean what they
     * want.
     *
     * @param json whether JSON is asked for
     */
    static JsonForm take(Syntax command, List<String> words, boolean json) {
        Syntax about = Parsed.about(command, words);
        JsonForm form = USUAL;
        for (JsonForm one : List.of(PRETTY, COMPACT)) {
            if (!words.contains(one.word)
                    || about.options().stream().anyMatch(option -> option.names().contains(one.word))) {
                continue;
            }
            if (json) {
                if (form != USUAL) {
                    throw new UsageError("One at a time: " + form.word + " or " + one.word + ".");
                }
                form = one;
                words.removeIf(one.word::equals);
            } else if (!about.raw() && about.shows()) {
                throw new UsageError(one.word + " goes with " + Parsed.JSON + ".");
            }
        }
        return form;
    }

    /** What is usually on several lines. */
    String lines(Object value) {
        return this == COMPACT ? JsonText.oneLine(value) : JsonText.pretty(value);
    }

    /** What is usually on one. */
    String line(Object value) {
        return this == PRETTY ? JsonText.pretty(value) : JsonText.oneLine(value);
    }
}
