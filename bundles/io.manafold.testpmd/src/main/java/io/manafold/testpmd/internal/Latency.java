package io.manafold.testpmd.internal;

import java.util.Map;

/**
 * How long packets stay between a queue that they come by and the one that has taken them, of a port that sends. Mean
 * and jitter are the running ones that users of poll-mode drivers know. Cores add to it beside each other.
 */
final class Latency {
    /** By how much the mean, and the jitter, are kept larger, so that what is divided away is not lost. */
    private static final int MEAN_SCALE = 4;
    private static final int JITTER_SCALE = 16;

    private long least;
    private long most;
    private long mean;
    private long jitter;
    private long last;
    private long samples;

    synchronized void add(long nanos) {
        if (samples++ == 0) {
            least = nanos;
            most = nanos;
            mean = nanos * MEAN_SCALE;
        } else {
            least = Math.min(least, nanos);
            most = Math.max(most, nanos);
            mean += nanos - mean / MEAN_SCALE;
            jitter += Math.abs(nanos - last) - jitter / JITTER_SCALE;
        }
        last = nanos;
    }

    synchronized void clear() {
        least = 0;
        most = 0;
        mean = 0;
        jitter = 0;
        samples = 0;
    }

    synchronized void putInto(Map<String, Long> statistics) {
        statistics.put("min_latency_ns", least);
        statistics.put("avg_latency_ns", mean / MEAN_SCALE);
        statistics.put("max_latency_ns", most);
        statistics.put("jitter_ns", jitter / JITTER_SCALE);
        statistics.put("samples", samples);
    }
}
