package io.manafold.gdma.driver;

import java.time.Duration;

/**
 * How long a driver waits.
 *
 * @param sharedMemory for an answer through the shared-memory channel
 * @param init until the hardware channel has said all about itself
 * @param command for a response, until the device says how long
 * @param longest for a response, however long the device says: one that is broken or lies may say days
 * @param depth how many requests may be outstanding at most; the device may allow fewer
 */
public record ChannelLimits(Duration sharedMemory, Duration init, Duration command, Duration longest, int depth) {
    /** What the Linux driver does, but for its depth of 1, and that it believes any time it is told. */
    public static final ChannelLimits USUAL = new ChannelLimits(Duration.ofSeconds(30), Duration.ofSeconds(60),
            Duration.ofSeconds(30), Duration.ofSeconds(60), 32);

    public ChannelLimits {
        if (depth < 1 || depth > 32) {
            throw new IllegalArgumentException("the rings of a channel hold 1 to 32 requests, not " + depth);
        }
    }
}
