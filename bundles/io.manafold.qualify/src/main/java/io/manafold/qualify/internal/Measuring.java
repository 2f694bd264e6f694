package io.manafold.qualify.internal;

import io.manafold.api.qualify.QualificationPlan;
import io.manafold.api.qualify.QualificationReport;
import io.manafold.api.qualify.QualificationReport.LeftOut;
import io.manafold.api.qualify.Slice;
import io.manafold.api.qualify.Unit;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * One qualification under way. A round measures everything once, so that a machine that changes in the meantime changes
 * all measures alike, and so that there is something of each when it is ended early.
 */
final class Measuring {
    /** How the reason begins for what was left out though nothing was wrong with it. */
    static final String NO_TIME = "no time was left";

    private static final double MILLISECOND = 1e6;

    private final QualificationPlan plan;
    private final Subject subject;
    private final Consumer<String> progress;
    private final Collected collected;
    private final Map<String, String> leftOut;
    private final Map<String, String> setup = new LinkedHashMap<>();
    private final long began = System.nanoTime();
    private int round;
    private boolean begun;

    Measuring(QualificationPlan plan, Subject subject, Consumer<String> progress) {
        this.plan = plan;
        this.subject = subject;
        this.progress = progress;
        collected = new Collected(subject.engine());
        leftOut = new LinkedHashMap<>(subject.leftOut());
    }

    QualificationReport run() {
        Instant made = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Map<String, String> machine = MachineFacts.read();
        setup.put("engine", subject.engine().word());
        subject.describe(setup);
        setup.put("slice", plan.slice().toMillis() + " ms");
        setup.put("rounds", String.valueOf(plan.rounds()));
        boolean finished = false;
        try {
            progress.accept("warming up");
            subject.warmUp();
            rounds();
            finished = true;
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
        // what drivers and refusals say may be anything
        setup.replaceAll((_, value) -> ReportReader.plain(value));
        leftOut.replaceAll((_, value) -> ReportReader.plain(value));
        setup.put("took", Math.round((System.nanoTime() - began) / MILLISECOND / 1000) + " s");
        return new QualificationReport(made, finished, machine, setup, collected.measures(), leftOut.entrySet()
                .stream().map(entry -> new LeftOut(entry.getKey(), entry.getValue())).toList());
    }

    /** All of them, or as many as there is time for. */
    private void rounds() throws InterruptedException {
        Duration last = Duration.ZERO;
        for (round = 1; round <= plan.rounds(); round++) {
            Duration passed = Duration.ofNanos(System.nanoTime() - began);
            if (!plan.limit().isZero() && passed.plus(last).compareTo(plan.limit()) > 0 && round > 1) {
                leftOut.put("rounds", NO_TIME + " for " + (plan.rounds() - round + 1) + " of " + plan.rounds());
                return;
            }
            subject.round(this::step);
            last = Duration.ofNanos(System.nanoTime() - began).minus(passed);
        }
    }

    /** A round that takes longer than the limit by itself ends with the step that is under way. */
    private boolean isOver() {
        return begun && !plan.limit().isZero() && System.nanoTime() - began > plan.limit().toNanos();
    }

    private void step(String what, Subject.Step step) throws InterruptedException {
        if (leftOut.containsKey(what)) {
            return;
        }
        if (isOver()) {
            if (round == 1) {
                leftOut.put(what, NO_TIME + ": " + plan.limit().toSeconds() + " s are over");
            }
            return;
        }
        begun = true;
        MachineLoad before = MachineLoad.now();
        List<Value> values;
        try {
            values = step.take();
        } catch (Refusal refused) {
            leftOut.put(what, refused.getMessage());
            progress.accept(what + " is left out: " + refused.getMessage());
            return;
        }
        MachineLoad after = MachineLoad.now();
        String disturbance = after.disturbance(before);
        for (Value value : values) {
            collected.add(value, new Slice(value.value(), after.cores(before), disturbance));
        }
        progress.accept(String.format(Locale.ROOT, "round %d of %d: %-10s %s%s", round, plan.rounds(), what,
                values.stream().filter(value -> value.value() > 0 || value.unit() != Unit.PERCENT)
                .map(value -> value.unit().text(value.value())).collect(Collectors.joining(", ")),
                disturbance.isEmpty() ? "" : " (" + disturbance + ")"));
    }
}
