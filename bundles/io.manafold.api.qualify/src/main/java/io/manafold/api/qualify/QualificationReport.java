package io.manafold.api.qualify;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What was measured.
 *
 * @param made when it was begun
 * @param finished whether all that was asked for is in it
 * @param machine what it was measured on, by name in the order to show it
 * @param setup what was measured and how, likewise
 * @param leftOut what is not in it
 */
public record QualificationReport(Instant made, boolean finished, Map<String, String> machine,
        Map<String, String> setup, List<Measure> measures, List<LeftOut> leftOut) {
    public QualificationReport {
        machine = Collections.unmodifiableMap(new LinkedHashMap<>(machine));
        setup = Collections.unmodifiableMap(new LinkedHashMap<>(setup));
        measures = Collections.unmodifiableList(new ArrayList<>(measures));
        leftOut = List.copyOf(leftOut);
    }

    /** Something that was not measured, and why. */
    public record LeftOut(String what, String reason) {
    }
}
