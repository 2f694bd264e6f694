package io.manafold.qualify.internal;

import io.manafold.api.qualify.Difference;
import io.manafold.api.qualify.Difference.Verdict;
import io.manafold.api.qualify.Measure;
import io.manafold.api.qualify.QualificationReport;
import io.manafold.api.qualify.QualificationReport.LeftOut;
import io.manafold.api.qualify.Quartiles;
import io.manafold.api.qualify.Slice;
import io.manafold.api.qualify.Unit;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one report is against another. A difference counts if the quartiles have nothing in common and the medians are
 * further apart than such a measure is by itself. Where the machine was busy otherwise, no slice of one report may be
 * among those of the other, and the medians have to be twice as far apart. What was measured before and could not be
 * after is worse, whatever the reason but a lack of time.
 */
final class Comparing {
    /** By how much medians may differ for nothing: of two runs on the same machine, tried on two busy cores. */
    private static final double RATE = 1.2;
    /**
     * For a rate without loss that is below half of full speed in both reports: that one is not as fast as the devices
     * are, but as the longest moment allows in which the machine did something else.
     */
    private static final double RATE_OF_MOMENTS = 2;
    private static final double FULL_SPEED = 1.5;
    private static final double MIDDLE_TIME = 1.5;
    /** Of tails, and of all times under load. */
    private static final double TAIL_TIME = 4;
    /** In points of a hundred. */
    private static final double LOSS = 0.2;
    private static final double LOSS_UNDER_LOAD = 5;
    /** Bytes for a packet; less is what a thread allocates now and then for other reasons. */
    private static final double ALLOCATED = 0.5;
    private static final double DISTURBED = 2;

    private static final String LOSS_FREE = "rate";

    private Comparing() {
    }

    static List<Difference> rows(QualificationReport before, QualificationReport after) {
        Map<String, Measure> first = byKey(before);
        Map<String, Measure> second = byKey(after);
        Set<String> keys = new LinkedHashSet<>(first.keySet());
        keys.addAll(second.keySet());
        List<Difference> rows = new ArrayList<>();
        keys.forEach(key -> rows.add(isFailed(first.get(key), second.get(key), after.leftOut())
                ? new Difference(key, first.get(key), null, Double.NaN, Verdict.WORSE)
                : row(key, first.get(key), second.get(key), isOfMoments(key, first) && isOfMoments(key, second))));
        return rows;
    }

    private static boolean isOfMoments(String key, Map<String, Measure> report) {
        Measure rate = report.get(key);
        if (rate == null || !rate.name().equals(LOSS_FREE)) {
            return false;
        }
        Measure full = report.get(new Measure("full", rate.engine(), rate.frame(), rate.burst(), rate.queues(),
                rate.unit(), rate.slices()).key());
        return full != null && 2 * rate.quartiles().median() < full.quartiles().median();
    }

    /** Whether the second run has tried to measure this, and was refused. */
    private static boolean isFailed(Measure before, Measure after, List<LeftOut> leftOut) {
        if (before == null || after != null) {
            return false;
        }
        String key = before.key().substring(before.engine().prefix().length());
        return leftOut.stream().anyMatch(one -> !one.reason().startsWith(Measuring.NO_TIME)
                && (key.equals(one.what()) || key.startsWith(one.what() + "-")));
    }

    private static Map<String, Measure> byKey(QualificationReport report) {
        Map<String, Measure> measures = new LinkedHashMap<>();
        report.measures().forEach(measure -> measures.put(measure.key(), measure));
        return measures;
    }

    private static Difference row(String key, Measure before, Measure after, boolean ofMoments) {
        if (before == null || after == null || before.unit() != after.unit()) {
            return new Difference(key, before, after, Double.NaN, Verdict.ONE_SIDED);
        }
        Quartiles first = before.quartiles();
        Quartiles second = after.quartiles();
        double ratio = first.median() == 0 ? Double.NaN : second.median() / first.median();
        boolean disturbed = isDisturbed(before) || isDisturbed(after);
        boolean overlap = disturbed ? all(before).overlaps(all(after)) : first.overlaps(second);
        if (overlap || !isFar(before, first.median(), second.median(), ofMoments, disturbed)) {
            return new Difference(key, before, after, ratio, Verdict.SAME);
        }
        boolean more = second.median() > first.median();
        return new Difference(key, before, after, ratio, more == before.unit().moreIsBetter() ? Verdict.BETTER
                : Verdict.WORSE);
    }

    /** From the least slice to the largest. */
    private static Quartiles all(Measure measure) {
        DoubleSummaryStatistics values = measure.slices().stream().mapToDouble(Slice::value).summaryStatistics();
        return new Quartiles(values.getMin(), measure.quartiles().median(), values.getMax());
    }

    private static boolean isDisturbed(Measure measure) {
        return 2 * measure.disturbed() > measure.slices().size();
    }

    private static boolean isFar(Measure measure, double first, double second, boolean ofMoments, boolean disturbed) {
        boolean underLoad = measure.name().contains("-load-");
        double more = disturbed ? DISTURBED : 1;
        if (measure.unit() == Unit.PERCENT) {
            return Math.abs(first - second) > more * (underLoad ? LOSS_UNDER_LOAD : LOSS);
        }
        if (measure.unit() == Unit.BYTES_PER_PACKET) {
            return Math.abs(first - second) > more * ALLOCATED;
        }
        double factor = measure.unit() != Unit.SECONDS ? speed(measure, ofMoments)
                : !underLoad && measure.name().endsWith("p50") ? MIDDLE_TIME : TAIL_TIME;
        return Math.max(first, second) > (1 + more * (factor - 1)) * Math.min(first, second);
    }

    private static double speed(Measure measure, boolean ofMoments) {
        if (!measure.name().equals(LOSS_FREE)) {
            return FULL_SPEED;
        }
        return ofMoments ? RATE_OF_MOMENTS : RATE;
    }
}
