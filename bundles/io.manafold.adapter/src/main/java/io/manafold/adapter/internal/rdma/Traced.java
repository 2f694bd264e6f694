package io.manafold.adapter.internal.rdma;

import io.manafold.api.adapter.RdmaQueuePair;
import io.manafold.api.adapter.RdmaTrace;

/**
 * A queue pair, and what is remembered of its last requests. Any thread looks, also when the queue pair has ended.
 *
 * @param pair as it is, or was at its end
 */
public record Traced(RdmaQueuePair pair, boolean isEnded, Trace trace) {
    /** It is no more. */
    public Traced ended() {
        return new Traced(pair, true, trace);
    }

    /** Whether there is something to look at. */
    public boolean hasAny() {
        return !trace.isEmpty();
    }

    /**
     * As it is now.
     *
     * @param requests at most so many of the last ones; those that have failed come in addition
     * @param moment by which times are told
     */
    public RdmaTrace show(int requests, ClockReading moment) {
        return TraceView.of(pair, isEnded, trace, requests, moment);
    }
}
