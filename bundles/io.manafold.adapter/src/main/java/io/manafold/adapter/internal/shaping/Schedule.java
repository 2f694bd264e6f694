package io.manafold.adapter.internal.shaping;

/**
 * A rate as a schedule of absolute times: what leaves moves the next departure on, to the fraction of a nanosecond, so
 * that the rate stays exact over any length of time. What was not used is made up for within bounds only; a ceiling
 * without a burst makes up for it at no more than twice its rate, so that a late start of its thread is no burst on the
 * wire.
 */
public final class Schedule {
    /** Faster than anything that sends: more is no limit that could be told from this one. */
    static final long MOST_RATE = 1_000_000_000_000L;
    /** A rate without a burst makes up for this much when it was the adapter that came late … */
    static final long LATE_NANOS = 5_000_000;
    /** … and for this much after a pause. */
    static final long PAUSE_NANOS = 100_000;

    /** As late as this is no reason to hold anything back: cycles have about this length. */
    private static final long CYCLE_NANOS = 50_000;

    private static final long BIT_NANOS = 8_000_000_000L;
    private static final long PACKET_NANOS = 1_000_000_000;
    private static final long LONGEST_NANOS = 1L << 50;

    private final boolean ceiling;
    private long rate;
    private boolean packets;
    /** Whether catching up has a pace of its own. */
    private boolean paced;
    private long lateNanos;
    private long pauseNanos;
    /** When the next frame is to leave. */
    private long due;
    /** When it may leave at the earliest if it is late. */
    private long earliest;
    /** What the division left over: fractions of a nanosecond, times the rate. */
    private long rest;

    private Schedule(boolean ceiling) {
        this.ceiling = ceiling;
    }

    /** What must not be exceeded. */
    public static Schedule ceiling() {
        return new Schedule(true);
    }

    /** What is owed. */
    static Schedule pledge() {
        return new Schedule(false);
    }

    /** @param perSecond bits or packets, unsigned; 0 for no limit */
    public void set(long perSecond, boolean countPackets, long burst, long now) {
        long next = perSecond < 0 || perSecond > MOST_RATE ? MOST_RATE : perSecond;
        if (next != rate || countPackets != packets) {
            rate = next;
            packets = countPackets;
            rest = 0;
            due = now;
            earliest = now;
        }
        paced = ceiling && burst == 0;
        long nanos = burst == 0 || rate == 0 ? 0 : nanos(burst);
        lateNanos = burst == 0 ? LATE_NANOS : nanos;
        pauseNanos = burst == 0 ? PAUSE_NANOS : nanos;
    }

    private long nanos(long burst) {
        double whole = burst < 0 ? Long.MAX_VALUE : burst;
        return (long) Math.min(LONGEST_NANOS, whole * (packets ? PACKET_NANOS : BIT_NANOS) / rate);
    }

    public boolean limits() {
        return rate != 0;
    }

    /** When the next frame is to leave. Once that is over it is held for a moment at most. */
    public long due() {
        return due;
    }

    /** When the next frame may leave. */
    long open() {
        return paced && earliest - due > 0 ? earliest : due;
    }

    /** Whether the next frame has to wait. */
    public boolean holds(long now) {
        return rate != 0 && open() - now > 0;
    }

    /** There is something to send again after there was nothing. */
    public void resume(long now) {
        atLeast(now - pauseNanos);
    }

    /** There was something to send all the time. */
    public void renew(long now) {
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
        return packets || rate == 0 ? Long.MAX_VALUE : owed(now, BIT_NANOS);
    }

    /** How many packets may leave now; at least one. */
    long packets(long now) {
        return packets && rate != 0 ? owed(now, PACKET_NANOS) : Long.MAX_VALUE;
    }

    private long owed(long now, long unit) {
        // it was not renewed unless it was what held things back: however late, a burst is all there is at once
        return 1 + Math.clamp(now - open(), 0, paced ? CYCLE_NANOS : Math.min(lateNanos, LATE_NANOS)) * rate / unit;
    }

    /** Frames leave. */
    public void charge(long bytes, int frames, long now) {
        long cost = (packets ? frames * PACKET_NANOS : bytes * BIT_NANOS) + rest;
        long nanos = cost / rate;
        rest = cost - nanos * rate;
        due += nanos;
        earliest = (earliest - now + CYCLE_NANOS < 0 ? now - CYCLE_NANOS : earliest) + (nanos + 1 >> 1);
    }
}
