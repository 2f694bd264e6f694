package io.manafold.pmd.internal.queue;

import io.manafold.api.rdma.CompletionQueue;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Has the thread that polls a queue sleep until there is something. What it sleeps at is another one after each start
 * of the port.
 */
final class Arrivals {
    private volatile boolean wanted;
    private CompletionQueue events;
    private io.manafold.gdma.driver.CompletionQueue entries;
    /** Where an event was asked for. */
    private CompletionQueue armed;
    private boolean going;
    /** Says why nothing comes any more; {@code null} while that may be. */
    private Supplier<Refusal> gone;

    void wanted(boolean on) {
        wanted = on;
    }

    /** @throws Refusal {@code EOPNOTSUPP} unless it is wanted */
    void check() {
        if (!wanted) {
            throw new Refusal(Errno.EOPNOTSUPP, "The port is not configured for interrupts: say so in its plan, or "
                    + "poll it.");
        }
    }

    synchronized void begin(CompletionQueue told, io.manafold.gdma.driver.CompletionQueue read) {
        events = told;
        entries = read;
    }

    synchronized void go() {
        going = events != null;
        notifyAll();
    }

    synchronized void end() {
        going = false;
        events = null;
        entries = null;
    }

    /** The port has gone for good: a thread that sleeps is told why, and so is each that comes later. */
    synchronized void gone(Supplier<Refusal> why) {
        gone = why;
        notifyAll();
    }

    private synchronized void checkHere() {
        if (gone != null) {
            throw gone.get();
        }
    }

    /** No event was asked for. */
    synchronized void forget() {
        armed = null;
    }

    /** Asks for an event; by the thread that polls, which is in the queue's memory. */
    synchronized void arm() {
        armed = events;
        if (events != null) {
            events.arm();
            entries.disarm(entries.id());
            entries.arm();
        }
    }

    /**
     * Waits for the event; of a port that is not started, for its start. Returns false if the time has passed.
     *
     * @throws Refusal why the port has gone, at once when it does
     */
    boolean await(long nanos) throws InterruptedException {
        long deadline = System.nanoTime() + nanos;
        CompletionQueue here;
        synchronized (this) {
            checkHere();
            while (!going) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
                checkHere();
            }
            if (armed != events) {
                // it was started again meanwhile, and may have something
                return true;
            }
            here = armed;
        }
        boolean told = here.await(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        checkHere();
        return told;
    }
}
