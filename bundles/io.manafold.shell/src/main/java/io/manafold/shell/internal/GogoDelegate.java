package io.manafold.shell.internal;

import io.manafold.shell.Session;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Converter;
import org.apache.felix.service.command.Function;
import org.apache.felix.service.command.Job;
import org.apache.felix.service.command.Process;

/** What Gogo does for a session: pipes, variables, its own commands. Its session is made when it is first needed. */
final class GogoDelegate {
    private static final String STAGE = ".manafold-stage";
    private static final String BUILT_IN = "gogo:";
    /** A command with words and quotes: no variable, no closure, nothing in brackets that might be a command, too. */
    private static final Pattern PLAIN = Pattern.compile("(\\w+)(?:\\s[^$={}()\\[\\]<>&]*)?", Pattern.DOTALL);

    private final CommandProcessor processor;
    private final Streams streams;
    private final GogoSession owner;
    private final RunningStages running = new RunningStages();
    private final AtomicInteger jobStatus = new AtomicInteger();
    private volatile CommandSession gogo;
    private List<NonClosingStreams.Output> outputs = List.of();

    GogoDelegate(CommandProcessor processor, Streams streams, GogoSession owner) {
        this.processor = processor;
        this.streams = streams;
        this.owner = owner;
    }

    /** Lets Gogo carry out a text that begins with none of our commands. */
    Outcome run(String text) throws Exception {
        jobStatus.set(Session.DONE);
        Object result = session().execute(text);
        show(result);
        return jobStatus.get() == Session.DONE ? Outcome.DONE : new Outcome(jobStatus.get(), "");
    }

    /**
     * Lets Gogo carry out a pipe, in which each command of ours is a function that has its words already.
     *
     * @return the first failure of a command of ours, or else how the last command ended
     */
    Outcome pipe(Statement pipe, BiFunction<Stage.Ours, Streams, Outcome> caller) throws Exception {
        CommandSession session = session();
        AtomicInteger failure = new AtomicInteger(Session.DONE);
        StringBuilder text = new StringBuilder();
        int count = pipe.stages().size();
        try {
            for (int i = 0; i < count; i++) {
                int width = i == count - 1 ? owner.width() : Streams.PIPE;
                text.append(i == 0 ? "" : " | ");
                switch (pipe.stages().get(i)) {
                    case Stage.Foreign foreign -> text.append(foreign.text());
                    case Stage.Ours ours -> {
                        session.put(STAGE + i, (Function) (in, none) -> stage(ours, width, caller, failure));
                        text.append(STAGE).append(i);
                    }
                }
            }
            Outcome last = run(text.toString());
            return failure.get() == Session.DONE ? last : new Outcome(failure.get(), "");
        } finally {
            for (int i = 0; i < count; i++) {
                session.put(STAGE + i, null);
            }
        }
    }

    private Object stage(Stage.Ours ours, int width, BiFunction<Stage.Ours, Streams, Outcome> caller,
            AtomicInteger failure) {
        Process process = Process.Utils.current();
        running.enter();
        try {
            Outcome outcome = caller.apply(ours, new Streams(process.in(), process.out(), process.err(), width));
            if (outcome.status() != Session.DONE) {
                GogoSession.tell(process.err(), outcome);
                process.error(outcome.status());
                failure.compareAndSet(Session.DONE, outcome.status());
            }
            return null;
        } finally {
            running.leave();
        }
    }

    /**
     * Ends what an interrupted statement has left running. Gogo's channels close for good when their thread is
     * interrupted, so its session starts anew with the same variables.
     */
    void stop() {
        if (gogo == null) {
            return;
        }
        CommandSession interrupted = gogo;
        Job job = interrupted.foregroundJob();
        if (job != null) {
            job.interrupt();
        }
        Map<String, Object> variables = new HashMap<>();
        if (interrupted.get(null) instanceof Collection<?> names) {
            for (Object name : names) {
                if (!name.toString().startsWith(".") && interrupted.get(name.toString()) instanceof Object value) {
                    variables.put(name.toString(), value);
                }
            }
        }
        List<NonClosingStreams.Output> theirs = outputs;
        gogo = open(variables);
        interrupted.close();
        running.awaitNone();
        // what a command of Gogo's has to say of its end comes when the next line may be there
        theirs.forEach(NonClosingStreams.Output::end);
    }

    /** Whether a text is one of Gogo's own commands with plain words. */
    boolean isBuiltIn(String text) {
        Matcher plain = PLAIN.matcher(text);
        return plain.matches() && session().get(BUILT_IN + plain.group(1)) instanceof Function;
    }

    /** The names of all commands that Gogo knows. */
    Collection<String> commands() {
        Collection<String> names = new TreeSet<>();
        if (session().get(".commands") instanceof Collection<?> all) {
            for (Object scoped : all) {
                String name = scoped.toString().substring(scoped.toString().indexOf(':') + 1);
                if (!name.isEmpty() && !name.startsWith("_")) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    /** Shows what Gogo itself has to say on one of its commands; false if it does not know it, or has no such help. */
    boolean explains(String name) throws Exception {
        if (!commands().contains(name) || !(session().get("felix:help") instanceof Function)) {
            return false;
        }
        show(session().execute("felix:help " + name));
        return true;
    }

    private void show(Object result) {
        if (result != null) {
            String text = session().format(result, Converter.INSPECT).toString();
            streams.out().print(text.isEmpty() || text.endsWith("\n") ? text : text + System.lineSeparator());
        }
    }

    private CommandSession session() {
        if (gogo == null) {
            gogo = open(Map.of());
        }
        return gogo;
    }

    private CommandSession open(Map<String, Object> variables) {
        NonClosingStreams.Output out = new NonClosingStreams.Output(streams.out());
        NonClosingStreams.Output err = new NonClosingStreams.Output(streams.err());
        outputs = List.of(out, err);
        CommandSession session = processor.createSession(new NonClosingStreams.Input(streams.in()), out, err);
        session.put("SCOPE", CommandTracker.SCOPE + ":gogo:felix:*");
        // these commands take every session for a terminal; here many are read by programs
        session.put("GREP_COLORS", "mt=");
        session.put("LS_COLORS", "dr=");
        variables.forEach(session::put);
        session.put(GogoSession.SELF, owner);
        session.setJobListener((job, before, now) -> {
            if (now == Job.Status.Done && job.parent() == null && job.result() != null) {
                jobStatus.set(job.result().error());
            }
        });
        return session;
    }

    void close() {
        if (gogo != null) {
            gogo.close();
        }
    }
}
