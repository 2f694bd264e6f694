package io.manafold.vfio.internal.protocol;

import io.manafold.linux.EventFd;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What a thread that writes interrupts is at: which eventfd, since when. A write waits in the kernel where a client has
 * filled the counter and made it block; emptied, the counter lets it go, if the client does not fill it again first.
 */
final class WriteInProgress {
    /** As long as this no write takes that will end by itself, however busy the machine. */
    private static final long HELD_UP = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int TRIES = 50;
    private static final long STEP = TimeUnit.MILLISECONDS.toNanos(1);

    /** {@code null} between two writes. */
    private volatile EventFd eventfd;
    private volatile int vector;
    private volatile long since;
    private volatile boolean resting;

    /** On the thread that writes. */
    void begin(int of, EventFd to) {
        vector = of;
        since = System.nanoTime();
        eventfd = to;
    }

    /** Answers how long it took. */
    long end() {
        eventfd = null;
        return System.nanoTime() - since;
    }

    boolean isAt(EventFd one) {
        return eventfd == one;
    }

    /** On the thread that writes: whether it waits for something to write, or is about to. */
    void resting(boolean rests) {
        resting = rests;
    }

    boolean isResting() {
        return resting;
    }

    int vector() {
        return vector;
    }

    /** Whether it waits for a client. */
    boolean isHeldUp() {
        return nanos() > HELD_UP;
    }

    /** For how long it has been writing, 0 between two writes. */
    long nanos() {
        long began = since;
        return eventfd == null ? 0 : System.nanoTime() - began;
    }

    /**
     * Lets the thread out of a write, by emptying the counter, within bounds: a client that fills it again keeps it.
     *
     * @param one what is to be written no more, which is still open
     */
    void letOut(EventFd one) {
        long end = System.nanoTime() + HELD_UP + TRIES * STEP;
        while (eventfd == one && System.nanoTime() - end < 0) {
            if (isHeldUp()) {
                one.takeAtOnce();
            }
            LockSupport.parkNanos(STEP);
        }
    }

    /** As {@link #letOut(EventFd)}, whatever it writes. */
    void letOut() {
        EventFd one = eventfd;
        if (one != null) {
            letOut(one);
        }
    }

    /** Empties the counter once, and waits for nothing. */
    void nudge() {
        EventFd one = eventfd;
        if (one != null) {
            one.takeAtOnce();
        }
    }
}
