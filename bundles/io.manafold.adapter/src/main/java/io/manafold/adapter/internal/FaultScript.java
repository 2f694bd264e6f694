package io.manafold.adapter.internal;

import io.manafold.api.adapter.Fault;
import io.manafold.api.adapter.ScriptedFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Faults one after the other: each step waits until the one before has begun, and then for its answers or its time.
 * With a seed, which one of several answers goes wrong is drawn, the same for the same seed. Not for more than one
 * thread.
 */
final class FaultScript {
    private final String name;
    private final Random random;
    private final List<Turn> turns = new ArrayList<>();
    /** When the latest step began that has. */
    private long begun;
    /** How many steps have begun; what follows waits. */
    private int at;
    private int heard;

    /** A step at work. */
    private static final class Turn {
        private final FaultStep step;
        /** Answers since its fault was last due or passed over. */
        private int counted;
        /** Which of the answers that are counted goes wrong. */
        private int drawn;
        private boolean due;
        private boolean over;

        Turn(FaultStep step) {
            this.step = step;
        }
    }

    /** @param seed {@code null} for the last one of every so many answers */
    FaultScript(String name, Long seed, List<FaultStep> steps, long now) {
        this.name = name;
        this.random = seed == null ? null : new Random(seed);
        this.begun = now;
        steps.forEach(step -> {
            Turn turn = new Turn(step);
            turn.drawn = draw(step);
            turns.add(turn);
        });
    }

    String name() {
        return name;
    }

    private int draw(FaultStep step) {
        return random == null ? step.every() : 1 + random.nextInt(step.every());
    }

    /**
     * What goes wrong with an answer, or {@code null}; spent if it is for once.
     *
     * @param free whether nothing else is wrong with it already; if something is, what would be next waits for the
     *        answer after it
     */
    Fault take(String message, boolean free, long now) {
        advance(now);
        Fault taken = null;
        for (Turn turn : turns.subList(0, at)) {
            if (!turn.over && !turn.step.isOfPort() && turn.step.isAbout(message)) {
                count(turn);
                if (turn.due && free && taken == null) {
                    taken = turn.step.fault();
                    turn.due = false;
                    turn.over = taken.once();
                }
            }
        }
        hear(message, now);
        return taken;
    }

    private void count(Turn turn) {
        turn.counted++;
        if (turn.counted == turn.drawn) {
            turn.due = true;
        }
        if (turn.counted >= turn.step.every()) {
            turn.counted = 0;
            turn.drawn = draw(turn.step);
        }
    }

    /** An answer more for the step that waits. */
    private void hear(String message, long now) {
        if (at < turns.size()) {
            FaultStep waiting = turns.get(at).step;
            if (waiting.afterAnswers() > 0 && waiting.isAbout(message) && ++heard >= waiting.afterAnswers()) {
                begin(now);
                advance(now);
            }
        }
    }

    private void begin(long since) {
        begun = since;
        heard = 0;
        at++;
    }

    private void advance(long now) {
        while (at < turns.size() && turns.get(at).step.afterAnswers() == 0
                && now - begun >= turns.get(at).step.afterNanos()) {
            begin(begun + turns.get(at).step.afterNanos());
        }
    }

    /** Faults of ports whose turn has come. */
    List<Fault> ofPorts(long now) {
        advance(now);
        List<Fault> due = new ArrayList<>();
        for (Turn turn : turns.subList(0, at)) {
            if (!turn.over && turn.step.isOfPort()) {
                turn.over = true;
                due.add(turn.step.fault());
            }
        }
        return due;
    }

    /** In how many nanoseconds a step begins without an answer. */
    long restNanos(long now) {
        return at == turns.size() || turns.get(at).step.afterAnswers() > 0 ? Long.MAX_VALUE
                : Math.max(1, begun + turns.get(at).step.afterNanos() - now);
    }

    /** Those that are not spent. */
    List<ScriptedFault> rest() {
        List<ScriptedFault> rest = new ArrayList<>();
        for (int i = 0; i < turns.size(); i++) {
            if (!turns.get(i).over) {
                rest.add(new ScriptedFault(turns.get(i).step.fault(), name, when(i)));
            }
        }
        return rest;
    }

    private String when(int index) {
        FaultStep step = turns.get(index).step;
        String every = step.every() > 1 ? "every " + step.every() : "";
        if (index < at) {
            return every.isEmpty() ? "now" : every;
        }
        String after = step.afterAnswers() > 0 ? "after " + (step.afterAnswers() - (index == at ? heard : 0))
                + " answers" : step.afterNanos() > 0 ? "after " + time(step.afterNanos())
                : "with the one before";
        return every.isEmpty() ? after : after + " " + every;
    }

    private static String time(long nanos) {
        return nanos % 1_000_000_000 == 0 ? nanos / 1_000_000_000 + "s" : nanos % 1_000_000 == 0
                ? nanos / 1_000_000 + "ms" : nanos % 1_000 == 0 ? nanos / 1_000 + "us" : nanos + "ns";
    }

    /** Takes a step back, and what follows goes on as if it were there. */
    boolean remove(String fault) {
        for (Turn turn : turns) {
            if (!turn.over && turn.step.fault().name().equals(fault)) {
                turn.over = true;
                return true;
            }
        }
        return false;
    }

    boolean isOver() {
        return turns.stream().allMatch(turn -> turn.over);
    }
}
