package io.manafold.traffic.internal;

import io.manafold.api.agent.DutyCycle;

/** When packets are due at a rate. On the thread of the device that sends. */
final class Pace {
    private static final long SECOND = 1_000_000_000L;
    /** What has been missed beyond this is not caught up. */
    private static final long PATIENCE_NANOS = 10_000_000;
    /** How long to wait at most for room in a queue that the device told nothing of. */
    private static final long FULL_NANOS = 200_000;

    private final long rate;
    private final int atOnce;
    private long since;
    private long sentSince;

    /**
     * @param rate packets in a second, 0 for as many as go
     * @param atOnce how many packets go together
     */
    Pace(long rate, int atOnce) {
        this.rate = rate;
        this.atOnce = atOnce;
    }

    /** Time begins anew. */
    void begin() {
        since = System.nanoTime();
        sentSince = 0;
    }

    void sent(long packets) {
        sentSince += packets;
    }

    /** How many groups of packets are due. */
    long due(long now) {
        long passed = now - since;
        if (passed >= SECOND) {
            since += SECOND;
            sentSince -= rate;
            passed = now - since;
        }
        long due = scheduled(passed) - sentSince;
        long most = Math.max(atOnce, scheduled(PATIENCE_NANOS));
        if (due > most) {
            sentSince += due - most;
            due = most;
        }
        return Math.max(0, due / atOnce);
    }

    private long scheduled(long passed) {
        // never above a few seconds, so that no product of theirs overflows
        return Math.min(passed, 4 * SECOND) * rate / SECOND;
    }

    /** How long until something is due. */
    long restNanos(boolean over, boolean hasRoom) {
        if (over) {
            return DutyCycle.UNTIL_WOKEN;
        }
        if (rate == 0) {
            return hasRoom ? 0 : FULL_NANOS;
        }
        long next = (sentSince + atOnce) * SECOND / rate + 1;
        return Math.max(0, next - (System.nanoTime() - since));
    }
}
