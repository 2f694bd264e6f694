package io.manafold.launcher.internal;

import java.time.Duration;

/**
 * Whether an end that is under way stands still. As long as bundles stop one after the other it is only slow, as on a
 * busy machine; but it may not take any time altogether, for a bundle can change something for ever.
 */
final class StallDetector {
    private final long limit;
    private final long most;
    private final long begin;
    private long changed;
    private int left;

    /**
     * @param limit how long nothing may change
     * @param most how long all of it may take
     * @param left what is there still to be stopped
     */
    StallDetector(Duration limit, Duration most, long nanos, int left) {
        this.limit = limit.toNanos();
        this.most = most.toNanos();
        this.begin = nanos;
        this.changed = nanos;
        this.left = left;
    }

    /** One look; true if the end has to be given up. */
    boolean isStuck(long nanos, int leftNow) {
        if (leftNow != left) {
            left = leftNow;
            changed = nanos;
        }
        return nanos - changed >= limit || nanos - begin >= most;
    }

    /** How long the end has taken so far. */
    Duration taken(long nanos) {
        return Duration.ofNanos(nanos - begin);
    }
}
