package io.manafold.benchmark;

/** Another program that moves frames of the same size, a slice at a time; between slices it costs nothing. */
interface Peer extends AutoCloseable {
    /** Works for a while; nanoseconds that a packet took. */
    double slice(long millis) throws Exception;

    @Override
    void close();
}
