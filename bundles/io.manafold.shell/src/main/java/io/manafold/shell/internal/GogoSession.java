package io.manafold.shell.internal;

import io.manafold.shell.Candidate;
import io.manafold.shell.PlainText;
import io.manafold.shell.Session;
import io.manafold.shell.UsageError;
import java.io.PrintStream;
import java.util.List;
import java.util.function.IntSupplier;
import org.apache.felix.service.command.CommandProcessor;

/**
 * A session in which a command of ours that stands alone runs on the caller's thread, with its words as they were
 * typed, and everything else is Gogo's.
 */
final class GogoSession implements Session {
    /** The Gogo variable that leads from Gogo's half of a session to this one. */
    static final String SELF = ".manafold";
    private static final int LONGEST_LINE = 1 << 20;
    /** Gogo's time to read a statement grows with the square of its length. */
    private static final int LONGEST_FOREIGN = 1 << 15;

    private final CommandTable commands;
    private final Streams streams;
    private final IntSupplier columns;
    private final GogoDelegate gogo;
    private final Explanation explanation;
    private final Completion completion;
    private volatile boolean closed;
    private volatile boolean ended;
    private volatile int endStatus;

    /** @param columns how many a line may have; 0 for any number */
    GogoSession(CommandProcessor processor, CommandTable commands, Streams streams, IntSupplier columns) {
        this.commands = commands;
        this.streams = streams;
        this.columns = columns;
        this.gogo = new GogoDelegate(processor, streams, this);
        this.explanation = new Explanation(commands, gogo);
        this.completion = new Completion(commands, gogo::commands);
    }

    void end(int status) {
        endStatus = status;
        ended = true;
    }

    @Override
    public boolean ended() {
        return ended;
    }

    @Override
    public int execute(String line) {
        try {
            return executeStatements(line);
        } catch (Throwable e) {
            return fail(Runner.accident("The line", e));
        } finally {
            streams.out().flush();
            streams.err().flush();
        }
    }

    private int executeStatements(String line) {
        if (closed) {
            return fail(new Outcome(FAILED, "This session is closed."));
        }
        if (line.length() > LONGEST_LINE) {
            return fail(new Outcome(USAGE, "The line has " + line.length() + " characters; at most " + LONGEST_LINE
                    + " are read at a time."));
        }
        LineScanner scanner = new LineScanner(line, commands::has);
        int status = DONE;
        while (!ended) {
            Statement statement;
            try {
                statement = scanner.next();
            } catch (UsageError e) {
                return status != DONE ? status : fail(new Outcome(USAGE, PlainText.lines(e.getMessage())));
            }
            if (statement == null || status != DONE && !statement.otherwise()) {
                return status;
            }
            if (status == DONE && statement.otherwise()) {
                continue;
            }
            Outcome outcome = execute(statement);
            status = fail(outcome);
            boolean interrupted = Thread.interrupted();
            if (outcome == Outcome.INTERRUPTED) {
                return status;
            }
            if (interrupted) {
                return fail(Outcome.INTERRUPTED);
            }
        }
        return endStatus;
    }

    private Outcome execute(Statement statement) {
        try {
            if (statement.stages().size() == 1 && statement.stages().getFirst() instanceof Stage.Ours ours) {
                return call(ours, streams.wide(columns.getAsInt()));
            }
            if (statement.text().length() > LONGEST_FOREIGN) {
                return new Outcome(USAGE, "The statement has " + statement.text().length() + " characters; at most "
                        + LONGEST_FOREIGN + " are read where it is not a single command of Manafold.");
            }
            return statement.isForeign() ? gogo.run(statement.text()) : gogo.pipe(statement, this::call);
        } catch (InterruptedException e) {
            gogo.stop();
            return Outcome.INTERRUPTED;
        } catch (Throwable e) {
            return explanation.of(statement.text(), e);
        }
    }

    private Outcome call(Stage.Ours stage, Streams to) {
        return Runner.run(commands, stage.name(), stage.words(), to, this);
    }

    /** How many columns a line may have that is not for another command. */
    int width() {
        return streams.wide(columns.getAsInt()).width();
    }

    /** Whether Gogo had something to say on one of its own commands. */
    boolean explainsForeign(String name) throws Exception {
        return gogo.explains(name);
    }

    @Override
    public boolean isBuiltIn(String line) {
        if (closed || line.length() > LONGEST_FOREIGN) {
            return false;
        }
        LineScanner scanner = new LineScanner(line, commands::has);
        try {
            for (Statement next = scanner.next(); next != null; next = scanner.next()) {
                for (Stage stage : next.stages()) {
                    if (!(stage instanceof Stage.Foreign foreign) || !gogo.isBuiltIn(foreign.text())) {
                        return false;
                    }
                }
            }
        } catch (UsageError unfinished) {
            return false;
        }
        return true;
    }

    /** Says what there is to say of an outcome, after all that was printed before. */
    private int fail(Outcome outcome) {
        if (!outcome.message().isEmpty()) {
            streams.out().flush();
            tell(streams.err(), outcome);
        }
        return outcome.status();
    }

    static void tell(PrintStream err, Outcome outcome) {
        err.println(outcome.told());
        err.flush();
    }

    @Override
    public List<Candidate> complete(String line, int cursor) {
        try {
            return completion.complete(line.substring(0, Math.clamp(cursor, 0, line.length())));
        } catch (RuntimeException | StackOverflowError e) {
            return List.of();
        }
    }

    @Override
    public void close() {
        closed = true;
        gogo.close();
    }
}
