package io.manafold.inet.internal;

/** What time it is, for all that waits here. */
@FunctionalInterface
interface Clock {
    long SECOND = 1_000_000_000L;

    /** Nanoseconds since some moment. */
    long now();
}
