package io.manafold.launcher.internal;

import io.manafold.launcher.internal.lines.InterruptibleInput;
import io.manafold.launcher.internal.lines.Signals;
import io.manafold.launcher.internal.log.LoggedOutput;
import io.manafold.launcher.internal.words.Places;
import io.manafold.launcher.internal.words.Status;
import io.manafold.launcher.internal.words.Texts;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The process's streams. They are the commands' alone: whatever else prints, prints into the log. */
final class StandardStreams {
    private final InputStream in = new InterruptibleInput(new FileInputStream(FileDescriptor.in));
    private final PrintStream out;
    private final PrintStream err;

    /** @param ending is asked for when the reader of the output has gone */
    StandardStreams(ExitRequest ending) {
        out = new PrintStream(new BufferedOutputStream(
                new WatchedOutput(new FileOutputStream(FileDescriptor.out), e -> broken(e, ending))), true,
                StandardCharsets.UTF_8);
        err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    }

    /** Takes {@code System.out} and {@code System.err} away from the code that prints there. */
    void divert() {
        System.setOut(printer("stdout", Level.INFO));
        System.setErr(printer("stderr", Level.WARN));
    }

    private static PrintStream printer(String name, Level level) {
        return new PrintStream(new LoggedOutput(LoggerFactory.getLogger(name), level), true, StandardCharsets.UTF_8);
    }

    InputStream in() {
        return in;
    }

    PrintStream out() {
        return out;
    }

    PrintStream err() {
        return err;
    }

    /** Whether a user sits in front of both ends. */
    boolean interactive() {
        return Places.isTerminal(0) && Places.isTerminal(1);
    }

    void say(String sentence) {
        err.println(Texts.SPEAKER + sentence);
    }

    void flush() {
        out.flush();
        err.flush();
    }

    private void broken(IOException e, ExitRequest ending) {
        boolean unread = Texts.isUnread(e);
        if (!unread) {
            say(Texts.unwritten(e));
        }
        ending.ask(unread ? Status.SIGNAL + Signals.PIPE : Status.FAILED);
    }
}
