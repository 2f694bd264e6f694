package io.manafold.shell.internal;

import io.manafold.api.refusal.Refusal;
import io.manafold.shell.Nearest;
import io.manafold.shell.PlainText;
import io.manafold.shell.Session;
import io.manafold.shell.UsageError;
import java.io.EOFException;
import java.util.Collection;
import java.util.TreeSet;
import org.apache.felix.gogo.runtime.CommandNotFoundException;
import org.apache.felix.gogo.runtime.SyntaxError;

/** Turns what Gogo throws into sentences. */
final class Explanation {
    /** Longer quotations of what was typed help no user. */
    private static final int LONGEST = 200;
    private static final int LONGEST_WORD = 40;

    private final CommandTable commands;
    private final GogoDelegate gogo;

    Explanation(CommandTable commands, GogoDelegate gogo) {
        this.commands = commands;
        this.gogo = gogo;
    }

    /** The outcome of a statement that has thrown. */
    Outcome of(String statement, Throwable e) {
        String what = firstWord(statement);
        return switch (e) {
            case CommandFailed failed -> failed.outcome();
            case Refusal refusal -> new Outcome(Session.FAILED, Runner.refused(refusal));
            case UsageError usage -> new Outcome(Session.USAGE, PlainText.lines(usage.getMessage()));
            case CommandNotFoundException missing -> new Outcome(Session.USAGE, unknown(missing.getCommand()));
            case SyntaxError syntax -> new Outcome(Session.USAGE, unreadable(what, syntax));
            case EOFException unfinished -> new Outcome(Session.USAGE, unreadable(what, unfinished));
            case IllegalArgumentException misfit when said(misfit).startsWith("Cannot coerce") ->
                    new Outcome(Session.USAGE, what + " does not take these arguments, or what they name is not there; "
                            + "'help " + what + "' may say more.");
            case StackOverflowError deep -> new Outcome(Session.USAGE,
                    "The statement is nested too deeply to be read.");
            default -> Runner.accident(what.isEmpty() ? "The line" : what,
                    e.getCause() instanceof Error error ? error : e);
        };
    }

    private String unknown(String name) {
        Collection<String> ours = commands.names();
        Collection<String> all = new TreeSet<>(ours);
        all.addAll(gogo.commands());
        // ours first: a slip in one of our names is likelier than one in a name that few know
        Collection<String> known = Nearest.to(name, ours).isPresent() ? ours : all;
        return PlainText.oneLine(shortened(UsageError.unknown("command", name, known).getMessage()))
                + "\n'help' lists the commands.";
    }

    private static String unreadable(String what, Exception e) {
        return PlainText.oneLine("The statement that begins with '" + what + "' cannot be read: " + shortened(said(e))
                + ".");
    }

    private static String said(Throwable e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    private static String firstWord(String text) {
        int end = 0;
        while (end < text.length() && end < LONGEST_WORD && !Character.isWhitespace(text.charAt(end))) {
            end++;
        }
        return PlainText.oneLine(text.substring(0, end));
    }
}
