package io.manafold.qualify.internal;

import io.manafold.api.qualify.Engine;
import io.manafold.api.qualify.Measure;
import io.manafold.api.qualify.Quartiles;
import io.manafold.api.qualify.Slice;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Slices by what they measure, in the order in which they came first. */
final class Collected {
    private static final int ENOUGH = 4;
    private static final double FAR = 3;
    private static final double LEAST_SHARE = 0.2;

    private final Engine engine;
    private final Map<String, Measure> measures = new LinkedHashMap<>();

    Collected(Engine engine) {
        this.engine = engine;
    }

    void add(Value value, Slice slice) {
        Measure one = new Measure(value.name(), engine, value.frame(), value.burst(), value.queues(), value.unit(),
                List.of(slice));
        measures.merge(one.key(), one, (before, more) -> {
            List<Slice> slices = new ArrayList<>(before.slices());
            slices.addAll(more.slices());
            return before.withSlices(slices);
        });
    }

    /** All of them; values far from the others of their measure are marked. */
    List<Measure> measures() {
        return measures.values().stream().map(Collected::marked).toList();
    }

    private static Measure marked(Measure measure) {
        if (measure.slices().size() < ENOUGH) {
            return measure;
        }
        Quartiles quartiles = measure.quartiles();
        double far = Math.max(FAR * (quartiles.upper() - quartiles.lower()), LEAST_SHARE * quartiles.median());
        return measure.withSlices(measure.slices().stream()
                .map(slice -> slice.isDisturbed() || slice.value() >= quartiles.lower() - far
                        && slice.value() <= quartiles.upper() + far ? slice
                        : new Slice(slice.value(), slice.cores(), "far from the others")).toList());
    }
}
