package io.manafold.ethernet.internal.queue;

import io.manafold.api.net.ByteQueueLimit;

/**
 * Between what the limit of bytes under way may move.
 *
 * @param holdMillis how long it has to be too high before it falls
 */
public record ByteBounds(int least, int most, int holdMillis) {
    /** What the kernel has as the highest limit. */
    public static final int MOST = 1_879_048_192;
    public static final ByteBounds USUAL = new ByteBounds(0, MOST, 1000);

    /** The limit of a queue that is not there yet. */
    public ByteQueueLimit limit(int queue, long reached) {
        return new ByteQueueLimit(queue, most, least, most, holdMillis, 0, reached);
    }
}
