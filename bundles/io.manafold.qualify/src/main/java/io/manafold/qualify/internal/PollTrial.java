package io.manafold.qualify.internal;

import java.util.concurrent.atomic.AtomicLong;

/** Packets that a core is to send, and what became of them. The core counts, another thread looks. */
final class PollTrial {
    private static final double NANOS = 1e9;

    private final PollFrames frames;
    private final int burst;
    private final double rate;
    private final AtomicLong received = new AtomicLong();
    private volatile boolean over;
    private volatile boolean quiet;
    private long sent;
    private int bursts;
    private long firstSent;
    private long quietAt;
    private volatile long firstArrival;
    private final AtomicLong lastArrival = new AtomicLong();

    /** @param rate packets in a second, 0 for as many as go */
    PollTrial(PollFrames frames, int burst, long rate) {
        this.frames = frames;
        this.burst = burst;
        this.rate = rate;
    }

    // ---- the core

    PollFrames frames() {
        return frames;
    }

    int burst() {
        return burst;
    }

    boolean isOver() {
        return over;
    }

    /** The core sends nothing of it any more. */
    void quiet() {
        if (!quiet) {
            quietAt = System.nanoTime();
            quiet = true;
        }
    }

    /** Whether the next burst is to be begun. */
    boolean isDue(long now) {
        return rate == 0 || bursts == 0 || now - firstSent >= (double) bursts * burst / rate * NANOS;
    }

    void begin(long now) {
        firstSent = bursts == 0 ? now : firstSent;
        bursts++;
    }

    void sent(int count) {
        sent += count;
    }

    void arrived(int count, long now) {
        if (received.getPlain() == 0) {
            firstArrival = now;
        }
        lastArrival.setRelease(now);
        received.setRelease(received.getPlain() + count);
    }

    // ---- the thread that looks

    void end() {
        over = true;
    }

    boolean isQuiet() {
        return quiet;
    }

    long received() {
        return received.getAcquire();
    }

    long firstArrival() {
        return firstArrival;
    }

    long lastArrival() {
        return lastArrival.getAcquire();
    }

    /** Packets that were sent; when it is quiet. */
    long sent() {
        return sent;
    }

    /** When it is quiet, and nothing is awaited any more. */
    Bisection.Outcome outcome() {
        long came = received();
        double time = Math.max(1, lastArrival() - firstSent);
        // a core that had no processor for a part of the slice has sent no faster for it
        double lost = sent == 0 ? 0 : Math.max(0, sent - came) / (double) sent;
        return new Bisection.Outcome(sent * NANOS / Math.max(1, quietAt - firstSent), came * NANOS / time, lost);
    }
}
