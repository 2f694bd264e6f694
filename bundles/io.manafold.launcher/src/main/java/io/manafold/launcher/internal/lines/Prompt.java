package io.manafold.launcher.internal.lines;

import io.manafold.launcher.internal.words.Status;
import io.manafold.shell.Session;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;

/** Asks for lines at a terminal until there are no more. Ctrl-C ends a command, Ctrl-D the prompt. */
public final class Prompt {
    private static final String TEXT = "manafold> ";
    private static final Size USUAL = new Size(80, 24);

    private final Terminal terminal;
    private final Session session;
    private final Path history;
    private final BooleanSupplier ended;
    private final LineReader reader;
    private final InterruptKey interrupt;
    private Runnable before = () -> { };
    private Runnable after = () -> { };
    /** The thread that carries out what was answered, from the answer to the next question. */
    private final AtomicReference<Thread> busy = new AtomicReference<>();

    /** @param ended whether the prompt is to end for a reason that does not come from its terminal */
    public Prompt(Terminal terminal, Session session, Path history, BooleanSupplier ended) {
        this.terminal = terminal;
        this.session = session;
        this.history = history;
        this.ended = ended;
        reader = LineReaderBuilder.builder()
                .terminal(terminal)
                .appName("manafold")
                .parser(new WordParser())
                .completer(this::complete)
                .variable(LineReader.HISTORY_FILE, history)
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .option(LineReader.Option.HISTORY_TIMESTAMPED, false)
                .build();
        interrupt = new InterruptKey(terminal, reader);
    }

    /** Has something done before each question, and when it has been answered. */
    public Prompt asking(Runnable newBefore, Runnable newAfter) {
        before = newBefore;
        after = newAfter;
        return this;
    }

    /** Returns the status that {@code exit} named, or 0 when the input has ended. */
    public int run() {
        if (terminal.getWidth() == 0 || terminal.getHeight() == 0) {
            // a terminal without a size would show nothing
            terminal.setSize(USUAL);
        }
        // Between two questions the terminal stays as it is at one: a system that is asked to collect lines meanwhile
        // would spoil keys that are typed ahead, Ctrl-D above all.
        Attributes attributes = terminal.enterRawMode();
        try {
            return ask();
        } finally {
            terminal.setAttributes(attributes);
        }
    }

    /** Says something above the question, whenever it may be; what is being typed stays. */
    public void tell(String sentence) {
        reader.printAbove(sentence);
    }

    private int ask() {
        terminal.handle(Terminal.Signal.INT, signal -> interrupt());
        while (!ended.getAsBoolean()) {
            // what a command left of a Ctrl-C must not end the question for the next
            Thread.interrupted();
            try {
                int status = carryOut(question());
                if (session.ended()) {
                    return status;
                }
            } catch (UserInterruptException e) {
                continue;
            } catch (EndOfFileException e) {
                break;
            } finally {
                busy.set(null);
            }
        }
        return Status.DONE;
    }

    private String question() {
        before.run();
        if (history.toFile().length() > HistoryFile.MOST) {
            HistoryFile.shorten(history);
        }
        boolean interrupted = false;
        String line = "";
        interrupt.becomeKey();
        try {
            line = reader.readLine(TEXT);
        } finally {
            // a signal from here on is for what was answered, though that is not yet begun
            busy.set(Thread.currentThread());
            interrupted = isInterrupted();
            after.run();
        }
        if (interrupted) {
            throw new UserInterruptException(line);
        }
        return line;
    }

    private boolean isInterrupted() {
        try {
            return interrupt.becomeSignal();
        } catch (InterruptedIOException e) {
            return true;
        } catch (IOException e) {
            // whatever is wrong with the terminal, the next question tells
            return false;
        }
    }

    private int carryOut(String text) {
        int status = Status.DONE;
        // what is pasted may have several lines
        for (String line : text.split("\n")) {
            if (!line.isBlank() && !session.ended() && !ended.getAsBoolean()) {
                status = session.execute(line);
            }
        }
        return status;
    }

    private void interrupt() {
        Thread thread = busy.get();
        if (thread != null) {
            thread.interrupt();
        }
    }

    private void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        for (io.manafold.shell.Candidate found : session.complete(line.line(), line.cursor())) {
            String description = found.description().isEmpty() ? null : found.description();
            candidates.add(new Candidate(found.value(), found.value(), null, description, null, null,
                    found.complete()));
        }
    }
}
