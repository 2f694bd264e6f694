package io.manafold.api.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What a check has found. A finding does not change: what adds to it answers another one. */
public final class Finding {
    private static final Finding EMPTY = new Finding(State.OK, "", List.of(), List.of(), List.of());

    private final State state;
    private final String summary;
    private final List<Line> evidence;
    private final List<String> search;
    private final List<String> mend;

    private Finding(State state, String summary, List<Line> evidence, List<String> search, List<String> mend) {
        this.state = state;
        this.summary = summary;
        this.evidence = evidence;
        this.search = search;
        this.mend = mend;
    }

    /** How it stands. */
    public enum State {
        OK, WARN, FAIL, SKIPPED
    }

    /**
     * What was looked at.
     *
     * @param source a file or the name of an answer
     * @param line of it
     */
    public record Line(String source, String line) {
    }

    /** @param summary a sentence without a full stop */
    public static Finding ok(String summary) {
        return EMPTY.with(State.OK, summary);
    }

    public static Finding warn(String summary) {
        return EMPTY.with(State.WARN, summary);
    }

    public static Finding fail(String summary) {
        return EMPTY.with(State.FAIL, summary);
    }

    /** There is nothing to look at, and why. */
    public static Finding skipped(String summary) {
        return EMPTY.with(State.SKIPPED, summary);
    }

    private Finding with(State as, String says) {
        return new Finding(as, Objects.requireNonNull(says), evidence, search, mend);
    }

    /** Adds what has decided. */
    public Finding line(String source, String line) {
        return new Finding(state, summary, and(evidence, List.of(new Line(source, line))), search, mend);
    }

    /** Adds words that users of Linux look for, as they see them. */
    public Finding search(String... words) {
        return new Finding(state, summary, evidence, and(search, List.of(words)), mend);
    }

    /** Adds commands to paste, or a sentence after {@code #}. */
    public Finding mend(String... lines) {
        return new Finding(state, summary, evidence, search, and(mend, List.of(lines)));
    }

    private static <T> List<T> and(List<T> some, List<T> more) {
        List<T> all = new ArrayList<>(some);
        all.addAll(more);
        return List.copyOf(all);
    }

    public State state() {
        return state;
    }

    public String summary() {
        return summary;
    }

    public List<Line> evidence() {
        return evidence;
    }

    public List<String> search() {
        return search;
    }

    public List<String> mend() {
        return mend;
    }

    @Override
    public String toString() {
        return state + " " + summary + " " + evidence;
    }
}
