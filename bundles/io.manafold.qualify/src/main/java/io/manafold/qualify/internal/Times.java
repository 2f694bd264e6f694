package io.manafold.qualify.internal;

import io.manafold.api.qualify.Unit;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Arrays;
import java.util.List;

/**
 * How long answers took, in seconds.
 *
 * @param sorted one or more
 * @param sent how many were asked for
 */
record Times(double[] sorted, long sent) {
    private static final double NANOS = 1e9;

    /**
     * @param nanos times; those that are not above 0 are none
     * @param what was asked, for a sentence that there was no answer
     * @throws Refusal {@code ETIMEDOUT} if there is no time
     */
    static Times of(long[] nanos, long sent, String what) {
        double[] sorted = Arrays.stream(nanos).filter(one -> one > 0).sorted().mapToDouble(one -> one / NANOS)
                .toArray();
        if (sorted.length == 0) {
            throw new Refusal(Errno.ETIMEDOUT, "None of " + sent + " " + what + " was answered.");
        }
        return new Times(sorted, sent);
    }

    /** The time that so much of the answers were not above, from 0 to 1. */
    double percentile(double share) {
        int rank = (int) Math.ceil(share * sorted.length);
        return sorted[Math.clamp(rank - 1, 0, sorted.length - 1)];
    }

    /** What a report has of them. */
    List<Value> values(String name) {
        return List.of(new Value(name + "-p50", 0, Unit.SECONDS, percentile(0.5)),
                new Value(name + "-p99", 0, Unit.SECONDS, percentile(0.99)),
                new Value(name + "-p99.9", 0, Unit.SECONDS, percentile(0.999)),
                new Value(name + "-lost", 0, Unit.PERCENT, lostPercent()));
    }

    double lostPercent() {
        return sent == 0 ? 0 : 100.0 * (sent - sorted.length) / sent;
    }
}
