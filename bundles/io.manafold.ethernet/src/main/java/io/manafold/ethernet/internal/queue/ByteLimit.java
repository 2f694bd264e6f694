package io.manafold.ethernet.internal.queue;

import io.manafold.api.net.ByteQueueLimit;
import java.util.concurrent.TimeUnit;

/**
 * How many bytes a send queue may have under way: as few as keep the device busy, so that what comes next does not wait
 * behind more than that. The idea is the kernel's (dynamic queue limits). If the queue ran empty while more was held
 * back, the limit was too low and rises by what was missing; if for a while more was under way than the device got
 * done, it falls by the least that was ever too much. One thread; nothing is allocated.
 *
 * <p>Bytes are counted modulo 2^32 since the queue was made; differences are what matters.
 */
final class ByteLimit {
    private static final int NONE = Integer.MAX_VALUE;

    private int least;
    private int most;
    private long holdNanos;
    private int limit;
    private int queued;
    private int completed;
    /** The last packet's bytes. */
    private int last;
    /** What was under way beyond the limit when completions were last taken. */
    private int excess;
    /** What had been queued when completions were last taken, and the bytes of the last packet then. */
    private int queuedBefore;
    private int lastBefore;
    /** The least that was too much since a moment. */
    private int slack = NONE;
    private long slackSince;

    /** A queue begins with as much as it may ever have: a short flow does not wait for the limit to rise. */
    ByteLimit(ByteBounds bounds, long now) {
        limit = bounds.most();
        slackSince = now;
        use(bounds);
    }

    void use(ByteBounds bounds) {
        least = bounds.least();
        most = bounds.most();
        holdNanos = TimeUnit.MILLISECONDS.toNanos(bounds.holdMillis());
        limit = Math.clamp(limit, least, most);
    }

    /** Read on any thread while another one works with it. */
    ByteQueueLimit status(int queue, long reached) {
        return new ByteQueueLimit(queue, limit, least, most, (int) TimeUnit.NANOSECONDS.toMillis(holdNanos),
                Math.max(0, queued - completed), reached);
    }

    int limit() {
        return limit;
    }

    int underWay() {
        return queued - completed;
    }

    /** How many bytes were queued ever. */
    int queued() {
        return queued;
    }

    /** How many bytes more may be queued before the next packet has to wait. */
    int left() {
        return limit - (queued - completed);
    }

    /** Whether the next packet has to wait. */
    boolean isReached() {
        return queued - completed > limit;
    }

    /**
     * Packets are under way.
     *
     * @param ofLast bytes of the last of them
     */
    void queue(int bytes, int ofLast) {
        queued += bytes;
        last = ofLast;
    }

    /**
     * Packets are complete.
     *
     * @param upTo how many bytes had been {@link #queued} with the last of them
     */
    void complete(int upTo, long now) {
        int done = upTo - completed;
        int left = queued - upTo;
        int over = Math.max(0, queued - completed - limit);
        int before = queuedBefore - completed;
        boolean allOfBefore = upTo - queuedBefore >= 0;
        // as a long: neither the highest limit nor more that was too much than the limit itself goes round
        long adapted = limit;
        if (over > 0 && left == 0 || excess > 0 && allOfBefore) {
            adapted = (long) limit + Math.max(0, upTo - queuedBefore) + excess;
            restart(now);
        } else if (left > 0 && before > 0 && !allOfBefore) {
            int unused = Math.max(limit + excess - 2 * done, excess > 0 ? lastBefore - excess : 0);
            slack = Math.min(slack, Math.max(0, unused));
            if (now - slackSince > holdNanos) {
                adapted = (long) limit - slack;
                restart(now);
            }
        }
        int next = Math.clamp(adapted, least, most);
        excess = next == limit ? over : 0;
        limit = next;
        completed = upTo;
        queuedBefore = queued;
        lastBefore = last;
    }

    private void restart(long now) {
        slack = NONE;
        slackSince = now;
    }
}
