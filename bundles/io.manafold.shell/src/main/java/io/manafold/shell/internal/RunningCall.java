package io.manafold.shell.internal;

import io.manafold.shell.Call;
import io.manafold.shell.Fields;
import io.manafold.shell.Numbers;
import io.manafold.shell.Syntax;
import io.manafold.shell.Table;
import io.manafold.shell.Tree;
import io.manafold.shell.UsageError;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A call under way. */
final class RunningCall implements Call {
    private final Parsed parsed;
    private final Streams streams;
    private final GogoSession session;

    RunningCall(Parsed parsed, Streams streams, GogoSession session) {
        this.parsed = parsed;
        this.streams = streams;
        this.session = session;
    }

    /** The session it is made in, if that is one of ours. */
    Optional<GogoSession> session() {
        return Optional.ofNullable(session);
    }

    @Override
    public String verb() {
        return parsed.verb();
    }

    @Override
    public boolean flag(String option) {
        return !options(option).isEmpty();
    }

    @Override
    public int count(String option) {
        return options(option).size();
    }

    @Override
    public Optional<String> option(String option) {
        List<String> values = options(option);
        return values.isEmpty() ? Optional.empty() : Optional.of(values.getLast());
    }

    @Override
    public List<String> options(String option) {
        for (Syntax.Option known : parsed.syntax().options()) {
            if (known.names().contains(option)) {
                return parsed.options().getOrDefault(known.name(), List.of());
            }
        }
        throw new IllegalArgumentException("the syntax of " + parsed.syntax().name() + " has no option " + option);
    }

    @Override
    public OptionalInt number(String option, int least, int most) {
        Optional<String> text = option(option);
        if (text.isEmpty()) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(Numbers.whole(option, text.get(), least, most));
    }

    @Override
    public Optional<String> argument(String name) {
        List<String> words = arguments(name);
        return words.isEmpty() ? Optional.empty() : Optional.of(words.getFirst());
    }

    @Override
    public String required(String name) {
        return argument(name).orElseThrow(() -> new UsageError(parsed.syntax().name() + " needs " + name + "."));
    }

    @Override
    public List<String> arguments(String name) {
        for (Syntax.Argument known : parsed.syntax().arguments()) {
            if (known.name().equals(name)) {
                return parsed.arguments().getOrDefault(name, List.of());
            }
        }
        throw new IllegalArgumentException("the syntax of " + parsed.syntax().name() + " has no argument " + name);
    }

    @Override
    public List<String> words() {
        return parsed.words();
    }

    @Override
    public boolean json() {
        return parsed.json();
    }

    @Override
    public int columns() {
        return streams.width() >= Streams.PIPE ? 0 : streams.width();
    }

    @Override
    public InputStream in() {
        return streams.in();
    }

    @Override
    public PrintStream out() {
        return streams.out();
    }

    @Override
    public PrintStream err() {
        return streams.err();
    }

    @Override
    public void print(Table table) {
        if (json()) {
            out().println(parsed.form().lines(table));
        } else {
            out().print(layout().table(table));
        }
    }

    @Override
    public void print(Tree tree) {
        if (json()) {
            out().println(parsed.form().lines(tree));
        } else {
            out().print(layout().tree(tree));
        }
    }

    @Override
    public void print(Fields fields) {
        if (json()) {
            out().println(parsed.form().lines(fields));
        } else {
            out().print(layout().fields(fields));
        }
    }

    @Override
    public void print(Collection<Fields> objects) {
        if (json()) {
            out().println(parsed.form().lines(objects));
            return;
        }
        String between = "";
        for (Fields fields : objects) {
            out().print(between);
            out().print(layout().fields(fields));
            between = "\n";
        }
    }

    @Override
    public void printLine(Fields fields) {
        out().println(parsed.form().line(fields));
    }

    private TextLayout layout() {
        return new TextLayout(streams.width());
    }
}
