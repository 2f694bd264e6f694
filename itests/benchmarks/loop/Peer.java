package io.manafold.benchmark;

/** Another program that moves frames of the same size, a slice at a time; between slices it costs nothing. */
interface Peer extends AutoCloseable {
    /** Works for a while; nanoseconds that a packet took, NaN if it has come to nothing this time. */
    double slice(long millis) throws Exception;

    /** Whether its nanoseconds are of the clock although ours works in one thread. */
    default boolean isByTheClock() {
        return false;
    }

    @Override
    void close();
}
