package io.manafold.qualify.internal;

import io.manafold.api.qualify.Measure;
import io.manafold.api.qualify.QualificationReport;
import io.manafold.api.qualify.QualificationReport.LeftOut;
import io.manafold.api.qualify.Slice;
import io.manafold.api.qualify.Unit;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Reports as they could be. */
final class Reports {
    private Reports() {
    }

    static Measure measure(String name, int frame, Unit unit, double... values) {
        return new Measure(name, frame, unit, Arrays.stream(values).mapToObj(value -> new Slice(value, 1.5, ""))
                .toList());
    }

    static Measure disturbed(Measure measure) {
        return measure.withSlices(measure.slices().stream()
                .map(slice -> new Slice(slice.value(), slice.cores(), "other processes had 0.9 cores")).toList());
    }

    static QualificationReport of(Measure... measures) {
        return new QualificationReport(Instant.parse("2026-01-31T12:00:00Z"), true, Map.of("cpu", "any"),
                Map.of("from", "mana0"), List.of(measures), List.of(new LeftOut("rate-9018", "needs an MTU of 9000")));
    }

    static QualificationReport usual() {
        return of(measure("rate", 64, Unit.PACKETS_PER_SECOND, 1e6, 1.1e6, 0.9e6), disturbed(measure("rate", 1518,
                Unit.PACKETS_PER_SECOND, 5e5, 4e5)), measure("lost", 64, Unit.PERCENT, 0, 0, 0),
                measure("ping-idle-p99.9", 0, Unit.SECONDS, 1e-4, 2e-4, 3e-4),
                measure("stream", 0, Unit.BITS_PER_SECOND, 2e9, 3e9));
    }
}
