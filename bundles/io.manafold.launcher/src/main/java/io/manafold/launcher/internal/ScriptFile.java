package io.manafold.launcher.internal;

import io.manafold.launcher.internal.lines.LineSource;
import io.manafold.launcher.internal.lines.SavedTerminal;
import io.manafold.launcher.internal.lines.Script;
import io.manafold.launcher.internal.lines.ScriptReport;
import io.manafold.launcher.internal.lines.TeeOutput;
import io.manafold.launcher.internal.words.Arguments;
import io.manafold.launcher.internal.words.ScriptOptions;
import io.manafold.launcher.internal.words.Status;
import io.manafold.launcher.internal.words.Texts;
import io.manafold.shell.Session;
import io.manafold.shell.Shell;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.function.BooleanSupplier;

/** The commands of a file: stops at the first line that fails unless told to go on, and reports if asked. */
final class ScriptFile {
    private final StandardStreams streams;
    private final String file;
    private final ScriptOptions options;
    private final ScriptReport report;
    private final TeeOutput heard;

    ScriptFile(Arguments arguments, StandardStreams streams) {
        this.streams = streams;
        file = arguments.script().toString();
        options = arguments.scripting();
        report = options.report() == null ? null : new ScriptReport(file);
        heard = report == null ? null : new TeeOutput(streams.err());
    }

    int run(Shell shell, InputStream lines, BooleanSupplier ended) {
        PrintStream err = heard == null ? streams.err() : new PrintStream(heard, true, StandardCharsets.UTF_8);
        int status;
        try (Session session = shell.open(streams.in(), streams.out(), err, SavedTerminal::columns)) {
            status = new Script(session, ended).run(new LineSource(lines), this::done);
        } catch (IOException e) {
            streams.say(Texts.unread(e));
            if (report != null) {
                report.unread(Texts.unread(e));
            }
            status = Status.FAILED;
        }
        return report == null || write() ? status : Status.FAILED;
    }

    private boolean done(int line, String command, int status, long nanos) {
        if (report != null) {
            report.add(line, command, status, nanos, heard.heard());
        }
        if (status == Status.DONE || options.keepGoing()) {
            return true;
        }
        streams.say(file + ", line " + line + ": ended with status " + status
                + ". Lines after it are not carried out; with --keep-going they are.");
        return false;
    }

    private boolean write() {
        try {
            Files.writeString(options.report(), report.text(options.form()));
            return true;
        } catch (IOException e) {
            streams.say("The report %s cannot be written: %s.".formatted(options.report(), Texts.reason(e)));
            return false;
        }
    }
}
