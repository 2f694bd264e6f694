package io.manafold.commands.doctor.internal;

import io.manafold.api.qualify.Difference;
import io.manafold.api.qualify.Measure;
import io.manafold.api.qualify.QualificationReport;
import io.manafold.api.qualify.Quartiles;
import io.manafold.api.qualify.Unit;
import io.manafold.shell.Call;
import io.manafold.shell.PlainText;
import io.manafold.shell.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Reports on devices, and what two of them differ in, for people. */
final class ReportText {
    private static final String RATE = "rate";
    private static final String FULL = "full";
    private static final Predicate<Measure> IS_RATE = one -> one.unit() == Unit.PACKETS_PER_SECOND;

    /** What is never the same twice. */
    private static final Set<String> OF_ONE_RUN = Set.of("load before", "load", "took");

    private ReportText() {
    }

    static void print(Call call, QualificationReport report) {
        call.out().println("Qualification of " + report.made() + (report.finished() ? "" : ", unfinished"));
        facts(call, report.machine());
        facts(call, report.setup());
        call.out().println();
        rates(call, report.measures());
        Table others = new Table().column("MEASURE", "name").column("MEDIAN", "median").column("QUARTILES", "quartiles")
                .column("MARKED", "marked");
        report.measures().stream().filter(IS_RATE.negate()).filter(ReportText::says).forEach(one -> others.row(
                one.key(), median(one), quartiles(one), marked(one)));
        if (!others.rows().isEmpty()) {
            call.print(others);
        }
        report.leftOut().forEach(one -> call.out().println("left out: " + PlainText.oneLine(one.what() + ": "
                + one.reason())));
        if (report.measures().stream().anyMatch(IS_RATE)) {
            call.out().println("CORES: how many like those that were busy 200 Gbit/s would take, if all scaled.");
        }
        long marked = report.measures().stream().mapToLong(Measure::disturbed).sum();
        if (marked > 0) {
            call.out().println(marked + " of " + report.measures().stream().mapToLong(one -> one.slices().size()).sum()
                    + " slices are marked: the machine had other work, or they are far from the others.");
        }
    }

    /** No line for each size at which nothing was lost. */
    private static boolean says(Measure measure) {
        return measure.unit() != Unit.PERCENT || measure.frame() == 0 || measure.quartiles().upper() > 0;
    }

    private static void facts(Call call, Map<String, String> facts) {
        facts.forEach((name, value) -> call.out().printf("  %-14s %s%n", PlainText.oneLine(name),
                PlainText.oneLine(value)));
    }

    private static void rates(Call call, List<Measure> measures) {
        // lines are long enough without what most reports have no use for
        boolean polled = measures.stream().anyMatch(one -> one.burst() > 0);
        Table table = new Table().column("BYTES", "frame");
        if (polled) {
            table.column("BURST", "burst").column("QUEUES", "queues");
        }
        table.column("LOSS-FREE", "median").column("QUARTILES", "quartiles").column("FULL SPEED", "full")
                .column("200G NEED", "needed").column("CORES", "cores_needed").column("MARKED", "marked");
        measures.stream().filter(one -> one.name().equals(RATE)).forEach(one -> {
            List<Object> row = new ArrayList<>(polled ? List.of(one.frame(), one.burst(), one.queues())
                    : List.of(one.frame()));
            row.addAll(Arrays.asList(median(one), quartiles(one), full(measures, one),
                    one.unit().text(one.needed()), one.coresNeeded() == 0 ? null
                    : String.format(Locale.ROOT, one.coresNeeded() < 10 ? "%.1f" : "%.0f", one.coresNeeded()),
                    marked(one)));
            table.row(row.toArray());
        });
        if (!table.rows().isEmpty()) {
            call.print(table);
            call.out().println();
        }
    }

    private static String full(List<Measure> measures, Measure rate) {
        return measures.stream().filter(other -> other.name().equals(FULL) && other.frame() == rate.frame()
                && other.burst() == rate.burst() && other.queues() == rate.queues()).findFirst()
                .map(ReportText::median).orElse(null);
    }

    private static String median(Measure measure) {
        return measure.unit().text(measure.quartiles().median());
    }

    private static String quartiles(Measure measure) {
        Quartiles quartiles = measure.quartiles();
        String[] lower = measure.unit().text(quartiles.lower()).split(" ");
        String[] upper = measure.unit().text(quartiles.upper()).split(" ");
        return lower[0] + (lower[1].equals(upper[1]) ? "" : " " + lower[1]) + " to " + upper[0] + " " + upper[1];
    }

    private static String marked(Measure measure) {
        return measure.disturbed() == 0 ? null : measure.disturbed() + " of " + measure.slices().size();
    }

    static Table differences(List<Difference> rows) {
        Table table = new Table().column("MEASURE", "name").column("BEFORE", "before").column("AFTER", "after")
                .column("RATIO", "ratio").column("VERDICT", "verdict");
        for (Difference row : rows) {
            table.row(row.key(), cell(row.before()), cell(row.after()), Double.isNaN(row.ratio()) ? null
                    : new Table.Cell(String.format(Locale.ROOT, "%.2f", row.ratio()), row.ratio()),
                    new Table.Cell(verdict(row), row.verdict().name().toLowerCase(Locale.ROOT)));
        }
        return table;
    }

    private static Table.Cell cell(Measure measure) {
        return measure == null ? null : new Table.Cell(median(measure), measure.quartiles().median());
    }

    private static String verdict(Difference row) {
        return switch (row.verdict()) {
            case SAME -> "same";
            case BETTER -> "better";
            case WORSE -> "WORSE";
            case ONE_SIDED -> row.before() == null ? "not before" : row.after() == null ? "not after" : "other unit";
        };
    }

    /** What is not the same around the measures. */
    static void circumstances(Call call, QualificationReport before, QualificationReport after) {
        if (!before.finished() || !after.finished()) {
            call.out().println("unfinished: " + (before.finished() ? "the second" : after.finished() ? "the first"
                    : "both"));
        }
        leftOut(call, "the first", before);
        leftOut(call, "the second", after);
        differing(call, before.machine(), after.machine());
        differing(call, before.setup(), after.setup());
    }

    private static void leftOut(Call call, String which, QualificationReport report) {
        report.leftOut().forEach(one -> call.out().println("left out in " + which + ": " + PlainText.oneLine(one.what()
                + ": " + one.reason())));
    }

    private static void differing(Call call, Map<String, String> before, Map<String, String> after) {
        before.forEach((name, value) -> {
            if (!OF_ONE_RUN.contains(name) && !value.equals(after.getOrDefault(name, value))) {
                call.out().println("differs: " + PlainText.oneLine(name + ": " + value + " | " + after.get(name)));
            }
        });
    }
}
