package io.manafold.adapter.internal;

import io.manafold.api.adapter.Fault;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads a script of faults. Each line is what {@code fault inject} takes, with {@code after} and {@code every} for its
 * turn; a line may be about the seed, empty, or a remark. What it is given may be anything: it is read in one pass, and
 * the first line that is wrong is refused.
 */
final class FaultScriptReader {
    static final int MOST_LINES = 1000;
    static final int LONGEST_LINE = 256;
    private static final int MOST_COUNT = 1_000_000;
    private static final long LONGEST_DELAY = 60_000_000_000L;
    private static final long LONGEST_WAIT = 3_600_000_000_000L;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");
    private static final Pattern TIME = Pattern.compile("([0-9]{1,12})(ns|us|ms|s)");
    private static final Pattern STATUS = Pattern.compile("0[xX]([0-9a-fA-F]{1,8})");
    private static final Pattern MESSAGE = Pattern.compile("[a-z][a-z0-9-]{0,63}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");
    private static final List<String> OPTIONS =
            List.of("--message", "--status", "--effect", "--delay", "--port", "--name", "--once");
    private static final String EFFECTS = Arrays.stream(Fault.Effect.values()).map(FaultScriptReader::word)
            .collect(Collectors.joining(", "));

    private final String adapter;
    private final String script;
    private final List<String> ports;
    private final List<FaultStep> steps = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private Long seed;
    private int line;
    private String[] words;
    private int at;

    /**
     * @param adapter whose script it is
     * @param ports the names of the adapter's ports, or {@code null} while it is not there
     */
    FaultScriptReader(String adapter, String script, List<String> ports) {
        this.adapter = adapter;
        this.script = script;
        this.ports = ports;
    }

    /** Refused with {@code EINVAL} if a line is wrong. */
    FaultScript read(List<String> lines, long now) {
        if (!NAME.matcher(script).matches()) {
            throw new Refusal(Errno.EINVAL, "A script of faults cannot be called '" + clean(script) + "': a name has "
                    + "letters, digits, - and _, at most 64. Choose another one.");
        }
        if (lines.size() > MOST_LINES) {
            throw new Refusal(Errno.EINVAL, "The script " + script + " has " + lines.size() + " lines; it may have "
                    + MOST_LINES + ". Take some out.");
        }
        for (String text : lines) {
            line++;
            read(text);
        }
        if (steps.isEmpty()) {
            throw new Refusal(Errno.EINVAL, "The script " + script + " has no fault for adapter '" + adapter
                    + "' in it; write a line as in '--message query-vport-config --effect twice after 3 answers'.");
        }
        return new FaultScript(script, seed, steps, now);
    }

    private void read(String text) {
        if (text.length() > LONGEST_LINE) {
            throw wrong("it has " + text.length() + " characters", "a line has at most " + LONGEST_LINE,
                    "make it shorter");
        }
        if (text.chars().anyMatch(c -> c != '\t' && (c < ' ' || c > '~'))) {
            throw wrong("there is a character in it that is not one of ASCII's printable ones",
                    "a script is plain text", "take it out");
        }
        if (text.isBlank() || text.stripLeading().startsWith("#")) {
            return;
        }
        words = text.strip().split("[ \t]+");
        at = 0;
        if (words[0].equals("seed")) {
            readSeed();
        } else {
            readStep();
        }
    }

    private void readSeed() {
        if (seed != null || !steps.isEmpty()) {
            throw wrong("the seed comes too late", "a script has one seed, before its faults",
                    "write it into the first line");
        }
        if (words.length != 2 || !NUMBER.matcher(words[1]).matches()) {
            throw wrong("it has no seed that is a number", "a seed has 1 to 18 digits", "write it as in 'seed 7'");
        }
        seed = Long.parseLong(words[1]);
    }

    /** What the words of a line say, as far as they are read. */
    private static final class Draft {
        private String message;
        private String port;
        private String name;
        private Fault.Effect effect = Fault.Effect.STATUS;
        private Long status;
        private long delay;
        private boolean once;
        private int afterAnswers;
        private long afterNanos;
        private int every;
    }

    private void readStep() {
        Draft draft = new Draft();
        Set<String> seen = new HashSet<>();
        if (!words[0].startsWith("-") && !words[0].equals("after") && !words[0].equals("every")) {
            if (!words[0].equals(adapter)) {
                throw wrong("it begins with '" + clean(words[0]) + "'", "a line begins with its adapter, which is '"
                        + adapter + "' here, or with an option, after, every or seed", "correct or leave out the word");
            }
            at = 1;
        }
        while (at < words.length) {
            String word = words[at++];
            if (!seen.add(word)) {
                throw wrong(clean(word) + " is there twice", "each word is there once", "take one out");
            }
            switch (word) {
                case "after" -> after(draft);
                case "every" -> draft.every = (int) number(word, 2);
                case "--once" -> draft.once = true;
                case "--message" -> draft.message = matching(word, MESSAGE, "configure-vport-tx");
                case "--name" -> draft.name = matching(word, NAME, "slow");
                case "--port" -> draft.port = value(word, adapter + "/1");
                case "--effect" -> draft.effect = effect(value(word, "twice"));
                case "--delay" -> draft.delay = time(word, value(word, "500ms"), LONGEST_DELAY);
                case "--status" -> draft.status = Long.parseLong(matching(word, STATUS, "0xc00000bb").substring(2), 16);
                default -> throw wrong("'" + clean(word) + "' is not a word of a script", "there are after, every, "
                        + "seed and what 'fault inject' takes: " + String.join(", ", OPTIONS), "correct it");
            }
        }
        check(draft);
        add(draft);
    }

    private void after(Draft draft) {
        String text = value("after", "10 answers");
        if (TIME.matcher(text).matches()) {
            draft.afterNanos = time("after", text, LONGEST_WAIT);
            return;
        }
        at--;
        draft.afterAnswers = (int) number("after", 1);
        if (at == words.length || !words[at].equals("answers") && !words[at].equals("answer")) {
            throw wrong("after " + draft.afterAnswers + " lacks what is counted",
                    "after takes a number of answers or a time", "write it as in 'after 10 answers' or 'after 2s'");
        }
        at++;
    }

    private String value(String word, String example) {
        if (at == words.length) {
            throw wrong(word + " is the last word", word + " takes a value", "write it as in '" + word + " " + example
                    + "'");
        }
        return words[at++];
    }

    private String matching(String word, Pattern pattern, String example) {
        String text = value(word, example);
        if (!pattern.matcher(text).matches()) {
            throw wrong(word + " is '" + clean(text) + "'", word + " takes something like " + example, "correct it");
        }
        return text;
    }

    private long number(String word, int least) {
        String text = value(word, "10");
        long number = NUMBER.matcher(text).matches() ? Long.parseLong(text) : -1;
        if (number < least || number > MOST_COUNT) {
            throw wrong(word + " is '" + clean(text) + "'", word + " takes a whole number from " + least + " to "
                    + MOST_COUNT, "correct it");
        }
        return number;
    }

    private long time(String word, String text, long longest) {
        Matcher parts = TIME.matcher(text);
        if (parts.matches()) {
            long unit = switch (parts.group(2)) {
                case "ns" -> 1;
                case "us" -> 1_000;
                case "ms" -> 1_000_000;
                default -> 1_000_000_000;
            };
            long count = Long.parseLong(parts.group(1));
            if (count <= longest / unit && count * unit >= 1_000) {
                return count * unit;
            }
        }
        throw wrong(word + " is '" + clean(text) + "'", word + " takes a time from 1us to " + longest / 1_000_000_000
                + "s", "write it as in '" + word + " 500ms'");
    }

    private Fault.Effect effect(String text) {
        for (Fault.Effect effect : Fault.Effect.values()) {
            if (word(effect).equals(text)) {
                return effect;
            }
        }
        throw wrong("there is no effect '" + clean(text) + "'", "effects are " + EFFECTS, "choose one");
    }

    private static String word(Fault.Effect effect) {
        return effect.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private void check(Draft draft) {
        goesWith(draft.effect, Fault.Effect.STATUS, draft.status != null, "--status", "0xc00000bb");
        goesWith(draft.effect, Fault.Effect.LATE, draft.delay != 0, "--delay", "500ms");
        goesWith(draft.effect, Fault.Effect.WITHHOLD_COMPLETION, draft.port != null, "--port", adapter + "/1");
        if (draft.port != null && ports != null && !ports.contains(draft.port)) {
            throw wrong("there is no port '" + clean(draft.port) + "'", "the adapter's ports are "
                    + String.join(", ", ports), "name one of them");
        }
        if (draft.port != null && (draft.message != null || draft.every != 0)) {
            throw wrong("a port's completion has a message or an every", "the effect withhold-completion is for once, "
                    + "and about no message", "take " + (draft.message != null ? "--message" : "every") + " out");
        }
    }

    private void goesWith(Fault.Effect effect, Fault.Effect with, boolean given, String option, String example) {
        if ((effect == with) != given) {
            throw wrong(option + (given ? " is there with the effect " : " is missing with the effect ")
                            + word(effect), option + " goes with the effect " + word(with) + ", and that not without",
                    given ? "take it out" : "write it as in '" + option + " " + example + "'");
        }
    }

    private void add(Draft draft) {
        if (steps.size() == Faults.MOST) {
            throw wrong("it is a fault too many", "an adapter has at most " + Faults.MOST, "take it out");
        }
        String name = draft.name != null ? draft.name : shortened(script) + "-" + line;
        if (!names.add(name)) {
            throw wrong("a fault of the script is called '" + name + "' already", "each has a name of its own",
                    "choose another one with --name");
        }
        Fault fault = new Fault(name, draft.port != null ? draft.port : draft.message, draft.effect,
                draft.status == null ? 0 : draft.status.intValue(), draft.delay, draft.once || draft.port != null);
        try {
            Faults.check(fault);
        } catch (Refusal unknown) {
            throw new Refusal(unknown.errno(), where() + unknown.getMessage());
        }
        steps.add(new FaultStep(fault, draft.afterAnswers, draft.afterNanos, Math.max(1, draft.every)));
    }

    /** Room for a line's number in what has 64 characters. */
    private static String shortened(String script) {
        return script.length() > 59 ? script.substring(0, 59) : script;
    }

    private String where() {
        return "Line " + line + " of the script " + script + ": ";
    }

    private Refusal wrong(String what, String rule, String right) {
        return new Refusal(Errno.EINVAL, where() + what + "; " + rule + ". To mend it, " + right + ".");
    }

    private static String clean(String text) {
        String printable = text.replaceAll("[^ -~]", ".");
        return printable.length() > 40 ? printable.substring(0, 40) + "..." : printable;
    }
}
