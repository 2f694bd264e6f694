package io.manafold.adapter.internal.rdma;

import java.time.Instant;

/**
 * The same moment by the clock that people read and by the one that agents take times from. Times of several queue
 * pairs can be compared if all were told by the same reading.
 */
public record ClockReading(Instant time, long nanos) {
    public static ClockReading now() {
        return new ClockReading(Instant.now(), System.nanoTime());
    }

    /** What people call a time of an agent. */
    Instant at(long when) {
        return time.plusNanos(when - nanos);
    }
}
