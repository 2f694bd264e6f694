package io.manafold.shell.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Command;
import io.manafold.shell.Fields;
import io.manafold.shell.PlainText;
import io.manafold.shell.Session;
import io.manafold.shell.Syntax;
import io.manafold.shell.UsageError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls a command and turns whatever comes of it into an outcome. */
final class Runner {
    private static final Logger LOG = LoggerFactory.getLogger(Runner.class);

    private Runner() {
    }

    /** Waits until the command is made, which its bundle does when it is first used. */
    static Outcome run(CommandTable commands, String name, List<String> words, Streams streams, GogoSession session) {
        try {
            Optional<CommandTable.Entry> entry = commands.find(name);
            return entry.isPresent() ? run(entry.get().command(), entry.get().syntax(), words, streams, session)
                    : new Outcome(Session.FAILED, "The command " + name + " has just gone with its bundle.");
        } catch (InterruptedException e) {
            return Outcome.INTERRUPTED;
        }
    }

    static Outcome run(Command command, Syntax syntax, List<String> words, Streams streams, GogoSession session) {
        boolean json = words.stream().anyMatch(word -> Parsed.isJson(syntax, word));
        try {
            if (words.contains(Parsed.HELP)) {
                printHelp(syntax, words, streams);
            } else if (Watch.isAskedFor(syntax, words)) {
                Watch watch = Watch.read(words);
                return watch.show(syntax.name(), streams,
                        to -> run(command, syntax, watch.words(), to, session));
            } else {
                command.run(new RunningCall(Parsed.read(syntax, words), streams, session));
            }
            return Outcome.DONE;
        } catch (UsageError e) {
            return json ? object(Session.USAGE, sentence(e), null) : new Outcome(Session.USAGE, sentence(e)
                    + more(e, syntax, words));
        } catch (Refusal e) {
            return json ? object(Session.FAILED, sentence(e), e.errno()) : new Outcome(Session.FAILED, refused(e));
        } catch (InterruptedException e) {
            return Outcome.INTERRUPTED;
        } catch (CommandFailed e) {
            return e.outcome();
        } catch (Throwable e) {
            if (Thread.interrupted()) {
                return Outcome.INTERRUPTED;
            }
            Outcome accident = accident(syntax.name(), e);
            return json ? object(accident.status(), accident.message(), null) : accident;
        } finally {
            streams.out().flush();
        }
    }

    /** A failure as a program reads it. */
    private static Outcome object(int status, String sentence, Errno errno) {
        Fields fields = Fields.of("error", sentence).and("errno", errno == null ? null : errno.name())
                .and("status", status);
        return new Outcome(status, JsonText.oneLine(fields), true);
    }

    /**
     * What follows the sentence: of a single wrong word where the right ones are told, else how the command is written.
     */
    private static String more(UsageError e, Syntax syntax, List<String> words) {
        Syntax about = Parsed.about(syntax, words);
        if (!e.isUnknownWord()) {
            return "\n" + HelpText.usage(syntax, about);
        }
        return e.getMessage().endsWith("?") ? "" : " Type: help " + syntax.name()
                + (about == syntax ? "" : " " + about.name());
    }

    private static void printHelp(Syntax syntax, List<String> words, Streams streams) {
        Syntax about = Parsed.about(syntax, words);
        if (words.contains(Parsed.JSON)) {
            JsonForm form = JsonForm.take(syntax, new ArrayList<>(words), true);
            streams.out().println(form.lines(HelpText.fields(syntax)));
        } else {
            streams.out().print(HelpText.full(syntax, about));
        }
    }

    /** A refusal's sentence, and its errno by name. */
    static String refused(Refusal refusal) {
        return sentence(refusal) + " (" + refusal.errno() + ")";
    }

    /** What the user is told of something that no command foresaw; the log has the rest. */
    static Outcome accident(String name, Throwable what) {
        LOG.error("{} failed", name, what);
        String message = what.getMessage();
        String detail = message == null || message.isBlank() ? "" : ": " + message.strip();
        String sentence = name + " failed: " + what.getClass().getSimpleName() + detail;
        return new Outcome(Session.FAILED, PlainText.lines(sentence) + "; 'log' has the details.");
    }

    private static String sentence(Exception e) {
        return PlainText.lines(e.getMessage().strip());
    }
}
