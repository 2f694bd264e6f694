package io.manafold.api.qualify;

/**
 * A row of two reports.
 *
 * @param key of the measure
 * @param before {@code null} if the first report has no such measure
 * @param after {@code null} if the second has none
 * @param ratio of the medians, the second's to the first's; not a number where there is none
 */
public record Difference(String key, Measure before, Measure after, double ratio, Verdict verdict) {
    /** What can be said. */
    public enum Verdict {
        /** The difference is not beyond the noise. */
        SAME,
        BETTER,
        /** Or not to be measured any more. */
        WORSE,
        /** One of the reports lacks it. */
        ONE_SIDED
    }
}
