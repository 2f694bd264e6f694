package io.manafold.fabric.internal;

/**
 * When frames that wait for each other have left at a rate. Exact to the nanosecond over any number of frames; the time
 * is passed in.
 */
final class PaceClock {
    /** A link that looks later than this finds the time before it gone: catching up is no burst without a bound. */
    static final long LONGEST_CATCH_UP_NANOS = 2_000_000;
    private static final long SECOND = 1_000_000_000;

    private final long rate;
    /** When the last frame has left, and what was cut off that in parts of a nanosecond: so many of {@link #rate}. */
    private long free;
    private long parts;

    /** @param rate bit/s, up to 400 Gbit/s */
    PaceClock(long rate, long now) {
        this.rate = rate;
        free = now;
    }

    /** A frame comes and finds none that waits: what was not sent before is not made up for. */
    void begin(long now) {
        skipTo(now);
    }

    /** Frames wait. */
    void look(long now) {
        skipTo(now - LONGEST_CATCH_UP_NANOS);
    }

    private void skipTo(long time) {
        if (free - time < 0) {
            free = time;
            parts = 0;
        }
    }

    /** When a frame that is next in line has left. */
    long leaves(int bytes) {
        return free + (work(bytes) + rate - 1) / rate;
    }

    /** It leaves. */
    void leave(int bytes) {
        long work = work(bytes);
        free += work / rate;
        parts = work % rate;
    }

    private long work(int bytes) {
        return bytes * 8L * SECOND + parts;
    }
}
