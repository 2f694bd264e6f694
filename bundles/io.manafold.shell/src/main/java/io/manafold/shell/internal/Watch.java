package io.manafold.shell.internal;

import io.manafold.shell.Numbers;
import io.manafold.shell.Screen;
import io.manafold.shell.Session;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A call that is made again and again until it is interrupted or its reader has gone: what {@code --watch SECONDS}
 * makes of a command that shows something. A terminal shows each answer in the place of the one before.
 *
 * @param words those of the call itself
 */
record Watch(Duration pause, List<String> words) {
    static final String OPTION = "--watch";
    static final String VALUE = "SECONDS";
    static final String HELP = "shows it again every so many seconds, until it is interrupted";

    /** Of an answer without end, such as that of a command which follows something, no more is kept. */
    private static final int MOST_KEPT = 1 << 20;
    private static final Duration LEAST = Duration.ofMillis(100);
    private static final Duration MOST = Duration.ofDays(1);
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

    /** Whether the words ask for it: a command may have an option of that name, which is then its own. */
    static boolean isAskedFor(Syntax command, List<String> words) {
        if (!words.contains(OPTION)) {
            return false;
        }
        Syntax about = Parsed.about(command, words);
        if (about == command && !command.usualVerb().isEmpty()) {
            about = Parsed.about(command, List.of(command.usualVerb()));
        }
        return about.shows() && about.options().stream()
                .noneMatch(option -> option.names().contains(OPTION));
    }

    static Watch read(List<String> typed) {
        List<String> words = new ArrayList<>(typed);
        int at = words.indexOf(OPTION);
        words.remove(at);
        if (at == words.size()) {
            throw new UsageError(OPTION + " needs a value: " + OPTION + " " + VALUE + ".");
        }
        return new Watch(Numbers.seconds(OPTION, words.remove(at), LEAST, MOST), words);
    }

    /**
     * Answers how the call has ended that was wrong from the start; one that fails later is shown as such, and made
     * again.
     */
    Outcome show(String name, Streams streams, Function<Streams, Outcome> call) throws InterruptedException {
        boolean onTerminal = streams.width() < Streams.PIPE;
        Screen screen = new Screen();
        for (boolean first = true; !streams.out().checkError(); first = false) {
            Answer answer = new Answer();
            Outcome outcome = call.apply(new Streams(streams.in(),
                    new PrintStream(answer, false, StandardCharsets.UTF_8), streams.err(), streams.width()));
            if (outcome == Outcome.INTERRUPTED || outcome.status() != Session.DONE && first) {
                return outcome;
            }
            String text = answer.toString(StandardCharsets.UTF_8) + (outcome.status() == Session.DONE ? ""
                    : outcome.told() + "\n");
            if (onTerminal) {
                screen.show(streams.out(), title(name) + text);
            } else {
                streams.out().print((first ? "" : "\n") + text);
                streams.out().flush();
            }
            Thread.sleep(pause);
        }
        return Outcome.DONE;
    }

    private static final class Answer extends ByteArrayOutputStream {
        @Override
        public synchronized void write(int one) {
            if (count < MOST_KEPT) {
                super.write(one);
            }
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            super.write(bytes, from, Math.min(length, MOST_KEPT - Math.min(count, MOST_KEPT)));
        }
    }

    private String title(String name) {
        return CLOCK.format(LocalTime.now()) + "  " + (name + " " + String.join(" ", words)).strip() + "  (every "
                + pause.toMillis() / 1000.0 + " s)\n\n";
    }
}
