package io.manafold.benchmark;

/**
 * A way to carry a stream through the loopback device, or a message there and back, a slice at a time; in between it
 * costs nothing.
 */
public interface Carrier extends AutoCloseable {
    /**
     * What a slice came to.
     *
     * @param bytes that were sent, and have come
     * @param cpuNanos of processor time, both ends
     * @param sends system calls of the sending end, −1 if they are not counted
     * @param receives of the receiving end
     * @param p50 of a message there and back in nanoseconds, NaN for streams
     */
    record Slice(long bytes, long cpuNanos, long wallNanos, long sends, long receives, double p50) {
    }

    Slice run(long millis) throws Exception;

    /** Threads of this process that move bytes. */
    long[] threads();

    @Override
    void close() throws Exception;
}
