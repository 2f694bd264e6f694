package io.manafold.adapter.internal.shaping;

/**
 * A rate as a schedule of absolute times: what leaves moves the next departure on, to the fraction of a nanosecond, so
 * that the rate stays exact over any length of time. What was not used is made up for within bounds only.
 */
final class Schedule {
    /** Faster than anything that sends: more is no limit that could be told from this one. */
    static final long MOST_RATE = 1_000_000_000_000L;
    /** A rate without a burst makes up for this much when it was the adapter that came late … */
    static final long LATE_NANOS = 5_000_000;
    /** … and for this much after a pause. */
    static final long PAUSE_NANOS = 100_000;

    private static final long BIT_NANOS = 8_000_000_000L;
    private static final long PACKET_NANOS = 1_000_000_000;
    private static final long LONGEST_NANOS = 1L << 50;

    private long rate;
    private boolean packets;
    private long lateNanos;
    private long pauseNanos;
    /** When the next frame may leave. */
    private long due;
    /** What the division left over: fractions of a nanosecond, times the rate. */
    private long rest;

    /** @param perSecond bits or packets, unsigned; 0 for no limit */
    void set(long perSecond, boolean countPackets, long burst, long now) {
        long next = perSecond < 0 || perSecond > MOST_RATE ? MOST_RATE : perSecond;
        if (next != rate || countPackets != packets) {
            rate = next;
            packets = countPackets;
            rest = 0;
            due = now;
        }
        long nanos = burst == 0 || rate == 0 ? 0 : nanos(burst);
        lateNanos = burst == 0 ? LATE_NANOS : nanos;
        pauseNanos = burst == 0 ? PAUSE_NANOS : nanos;
    }

    private long nanos(long burst) {
        double whole = burst < 0 ? Long.MAX_VALUE : burst;
        return (long) Math.min(LONGEST_NANOS, whole * (packets ? PACKET_NANOS : BIT_NANOS) / rate);
    }

    boolean limits() {
        return rate != 0;
    }

    long due() {
        return due;
    }

    /** Whether the next frame has to wait. */
    boolean holds(long now) {
        return rate != 0 && due - now > 0;
    }

    /** There is something to send again after there was nothing. */
    void resume(long now) {
        atLeast(now - pauseNanos);
    }

    /** There was something to send all the time. */
    void renew(long now) {
        atLeast(now - lateNanos);
    }

    private void atLeast(long time) {
        if (due - time < 0) {
            due = time;
            rest = 0;
        }
    }

    /** How many bytes may begin to leave now; at least one. */
    long bytes(long now) {
        return packets || rate == 0 ? Long.MAX_VALUE : open(now, BIT_NANOS);
    }

    /** How many packets may leave now; at least one. */
    long packets(long now) {
        return packets && rate != 0 ? open(now, PACKET_NANOS) : Long.MAX_VALUE;
    }

    private long open(long now, long unit) {
        return 1 + Math.clamp(now - due, 0, LATE_NANOS) * rate / unit;
    }

    /** Frames leave. */
    void charge(long bytes, int frames) {
        long cost = (packets ? frames * PACKET_NANOS : bytes * BIT_NANOS) + rest;
        long nanos = cost / rate;
        rest = cost - nanos * rate;
        due += nanos;
    }
}
