package io.manafold.api.inet;

/**
 * How echo requests fared; times are 0 before the first answer.
 *
 * @param errors what was heard instead of answers
 * @param totalNanos from the first request to the last thing that happened
 * @param deviationNanos the standard deviation of the times
 */
public record PingSummary(long transmitted, long received, long duplicates, long damaged, long errors, long totalNanos,
        long minNanos, long averageNanos, long maxNanos, long deviationNanos) {
    /** Percent of the requests that have no answer. */
    public double loss() {
        return transmitted == 0 ? 0 : 100.0 * (transmitted - received) / transmitted;
    }
}
