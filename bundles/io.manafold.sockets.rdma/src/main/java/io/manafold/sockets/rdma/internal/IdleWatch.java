package io.manafold.sockets.rdma.internal;

import java.util.concurrent.TimeUnit;

/**
 * Asks endpoints at intervals whether they have heard nothing of their peers for too long. An end that only waits would
 * never know of a peer that has vanished: nothing is sent, so nothing is missed. One timer serves all endpoints of
 * queues, and each look asks a few of them, so that many cost those who poll no more at a time than some. For the
 * thread that serves the queues.
 */
final class IdleWatch {
    private static final int BATCH = 64;
    private static final long NEXT_BATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** Intervals in the time that an endpoint waits, which is how exactly it is kept. */
    private static final int SHARE = 8;

    private long interval;
    private long next;
    private int position;

    /** An endpoint is there that waits so long for its peer. */
    void watch(long idleNanos, long now) {
        long needed = Math.min(idleNanos / SHARE, LONGEST_NANOS);
        if (interval == 0 || needed < interval) {
            interval = needed;
            if (position == 0) {
                next = now + needed;
            }
        }
    }

    /** Asks some if it is time to; answers in how many nanoseconds it is time again. */
    long look(RdmaEndpoint[] endpoints, long now) {
        if (interval == 0) {
            return Long.MAX_VALUE;
        }
        if (next - now > 0) {
            return next - now;
        }
        int end = Math.min(position + BATCH, endpoints.length);
        for (; position < end; position++) {
            if (endpoints[position] != null) {
                endpoints[position].idles(now);
            }
        }
        long wait = NEXT_BATCH_NANOS;
        if (position >= endpoints.length) {
            position = 0;
            wait = interval;
        }
        next = now + wait;
        return wait;
    }
}
