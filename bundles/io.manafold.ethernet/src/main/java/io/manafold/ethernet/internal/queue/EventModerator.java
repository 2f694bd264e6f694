package io.manafold.ethernet.internal.queue;

import io.manafold.api.net.Moderation;
import io.manafold.api.net.QueueEvents;
import io.manafold.gdma.message.CreateWqObject.EventHolding;

/**
 * For how long the device holds back events of one completion queue. If that is adaptive, each so many events are
 * looked at together: events that come densely and tell of several packets each are held back longer, step by step;
 * lone packets, and few events, are held back less. A step after which fewer packets pass is taken back, and not tried
 * again for a while. On the device's thread.
 */
final class EventModerator {
    /** Events that are looked at together. */
    static final int SAMPLE = 64;
    /** Samples after a step that was taken back before the next one is tried. */
    private static final int PATIENCE = 16;
    /** So many events a second cost a thread too much, and so few cost it nothing. */
    private static final long MANY = 20_000;
    private static final long FEW = 4_000;
    /** Packets of an event, below which holding back only makes them late. */
    private static final int COMPANY = 2;
    private static final long SECOND = 1_000_000_000L;
    private static final int[] MICROS = {0, 8, 32, 64, 128};
    private static final int[] FRAMES = {0, 32, 64, 128, 255};

    private final Bell bell;
    private final boolean offered;
    private volatile boolean adaptive;
    private long heard;
    private volatile int micros;
    private volatile int frames;
    private int level;
    private int events;
    private long since;
    private long packets;
    private boolean raised;
    private long passedBefore;
    private int patience;

    /** Tells the device how to hold back the queue's events from now on. */
    @FunctionalInterface
    interface Bell {
        void moderate(int micros, int frames);
    }

    /**
     * @param offered whether the device can
     * @param made as the queue was made
     */
    EventModerator(Bell bell, boolean offered, Moderation made) {
        this.bell = bell;
        this.offered = offered;
        micros = made.micros();
        frames = made.frames();
    }

    /** What a queue is made with. */
    static EventHolding making(boolean offered, Moderation wanted) {
        return offered ? new EventHolding(wanted.adaptive() || wanted.micros() > 0, wanted.micros(), wanted.frames())
                : EventHolding.NONE;
    }

    /** Holds back as an administrator wants it from now on. */
    void use(Moderation now) {
        if (!now.adaptive()) {
            adaptive = false;
            set(now.micros(), now.frames());
        } else if (!adaptive && offered) {
            adaptive = true;
            level = 0;
            patience = 0;
            since = 0;
            events = 0;
            set(MICROS[0], FRAMES[0]);
        }
    }

    private void set(int time, int count) {
        if (offered && (time != micros || count != frames)) {
            micros = time;
            frames = count;
            bell.moderate(time, count);
        }
    }

    /**
     * An event has come.
     *
     * @param passed packets of the queue so far
     */
    void event(long passed) {
        heard++;
        if (adaptive && ++events >= SAMPLE) {
            sample(passed, System.nanoTime());
        }
    }

    /** Decides, and begins the next sample. */
    void sample(long passed, long now) {
        long nanos = Math.max(1, now - since);
        long got = passed - packets;
        if (since != 0) {
            decide(got, got * SECOND / nanos, events * SECOND / nanos);
        }
        since = now;
        packets = passed;
        events = 0;
    }

    private void decide(long got, long perSecond, long eventsPerSecond) {
        boolean worse = raised && perSecond < passedBefore - passedBefore / 10;
        raised = false;
        if (worse) {
            patience = PATIENCE;
            step(-1);
        } else if (got < (long) COMPANY * events || eventsPerSecond < FEW) {
            step(-1);
        } else if (patience > 0) {
            patience--;
        } else if (eventsPerSecond > MANY && level < MICROS.length - 1) {
            raised = true;
            passedBefore = perSecond;
            step(1);
        }
    }

    private void step(int by) {
        level = Math.max(0, level + by);
        set(MICROS[level], FRAMES[level]);
    }

    /** How it is at the moment; any thread. */
    QueueEvents state() {
        return new QueueEvents(adaptive, micros, frames, heard);
    }

    /** Microseconds at the moment; any thread. */
    int micros() {
        return micros;
    }

    /** Completions at the moment; any thread. */
    int frames() {
        return frames;
    }
}
