package io.manafold.vfio.internal.protocol;

import io.manafold.linux.EventFd;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the eventfds of an export's guest, on a thread of its own. An eventfd that came over a socket is shared with
 * the client: it may be full, and the client may have made it block again at any moment. So the agent of a link, which
 * serves others too, only sets a bit and wakes this thread, and a guest that does not take its interrupts loses them
 * alone.
 */
public final class InterruptWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InterruptWriter.class);
    private static final VarHandle BITS = MethodHandles.arrayElementVarHandle(long[].class);
    /** A write takes a microsecond; one that takes as long as this waits for the guest. */
    private static final long STUCK = TimeUnit.SECONDS.toNanos(1);
    /** As long as this no write takes that will end by itself, however busy the machine. */
    private static final long HELD_UP = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int TRIES = 50;
    private static final long STEP = TimeUnit.MILLISECONDS.toNanos(1);
    private static final Duration LEAVING = Duration.ofSeconds(1);

    private record Target(EventFd eventfd, SessionCounters costs) {
    }

    private final String name;
    private final AtomicReferenceArray<Target> targets;
    /** Vectors with a signal to write, a bit each. */
    private final long[] raised;
    /** Vectors that had a signal when they had no eventfd. */
    private final long[] pending;
    private Thread thread;
    private volatile boolean resting;
    private volatile boolean closed;
    /** What is being written, and since when. */
    private volatile EventFd current;
    private volatile int currentVector;
    private volatile long since;
    private volatile long stuck;

    public InterruptWriter(String name, int vectors) {
        this.name = name;
        targets = new AtomicReferenceArray<>(vectors);
        raised = new long[(vectors + 63) / 64];
        pending = new long[raised.length];
    }

    /** Directs a vector to an eventfd, which this then owns, or to none; the one before is closed. */
    void target(int vector, EventFd eventfd, SessionCounters costs) {
        if (eventfd != null) {
            start();
        }
        Target old = targets.getAndSet(vector, eventfd == null ? null : new Target(eventfd, costs));
        if (old != null) {
            release(old.eventfd);
            old.eventfd.close();
        }
        raiseIfPending(vector);
    }

    /** Has a vector's eventfd written soon. Any thread; waits for nothing. */
    void raise(int vector) {
        long bit = 1L << vector;
        long before = (long) BITS.getAndBitwiseOr(raised, vector >> 6, bit);
        if ((before & bit) == 0 && resting) {
            LockSupport.unpark(thread);
        }
    }

    /** Forgets all signals that were not written: they were for a guest that has gone. */
    void forget() {
        for (int i = 0; i < raised.length; i++) {
            BITS.setVolatile(raised, i, 0L);
            BITS.setVolatile(pending, i, 0L);
        }
    }

    /** How often a write has had to wait for the guest. */
    public long stuck() {
        return stuck + (waits(STUCK) ? 1 : 0);
    }

    /** What is wrong at the moment, a sentence; {@code null} if nothing is. */
    public String problem() {
        long began = since;
        return waits(STUCK) ? "the guest does not take its interrupts: the eventfd of vector " + currentVector
                + " has been full for " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began)
                + " s, and blocks. They wait until the guest reads it, or leaves" : null;
    }

    private boolean waits(long nanos) {
        return current != null && System.nanoTime() - since > nanos;
    }

    private synchronized void start() {
        if (thread == null && !closed) {
            // known before it can rest, so that an agent that sees it rest can wake it
            thread = Thread.ofPlatform().daemon().name("manafold-vfio-" + name + "-interrupts").unstarted(this::run);
            thread.start();
        }
    }

    private void run() {
        boolean told = false;
        while (!closed) {
            try {
                if (!writeAll()) {
                    rest();
                }
            } catch (RuntimeException | Error mistake) {
                if (!told) {
                    told = true;
                    LOG.error("export {}: interrupts were not written because of a defect; it goes on", name, mistake);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            }
        }
    }

    private void rest() {
        resting = true;
        if (!anyRaised() && !closed) {
            LockSupport.park(this);
        }
        resting = false;
    }

    private boolean anyRaised() {
        for (int i = 0; i < raised.length; i++) {
            if ((long) BITS.getVolatile(raised, i) != 0) {
                return true;
            }
        }
        return false;
    }

    private boolean writeAll() {
        boolean any = false;
        for (int i = 0; i < raised.length; i++) {
            for (long bits = (long) BITS.getAndSet(raised, i, 0L); bits != 0; bits &= bits - 1) {
                write(i * 64 + Long.numberOfTrailingZeros(bits));
                any = true;
            }
        }
        return any;
    }

    private void write(int vector) {
        Target target = targets.get(vector);
        while (target != null) {
            target.costs.interrupt();
            currentVector = vector;
            since = System.nanoTime();
            current = target.eventfd;
            boolean written = target.eventfd.signal();
            current = null;
            if (System.nanoTime() - since > STUCK) {
                stuck++;
            }
            if (written) {
                return;
            }
            // closed: either there is another in its place, or the signal waits for one
            Target now = targets.get(vector);
            if (now == target) {
                return;
            }
            target = now;
        }
        BITS.getAndBitwiseOr(pending, vector >> 6, 1L << vector);
        if (targets.get(vector) != null) {
            raiseIfPending(vector);
        }
    }

    private void raiseIfPending(int vector) {
        long bit = 1L << vector;
        if (targets.get(vector) != null && ((long) BITS.getAndBitwiseAnd(pending, vector >> 6, ~bit) & bit) != 0) {
            raise(vector);
        }
    }

    /** Lets the thread out of a write that waits for a full counter, by emptying that. The guest may fill it again. */
    private void release(EventFd eventfd) {
        long end = System.nanoTime() + HELD_UP + TRIES * STEP;
        // closed, the eventfd could be emptied no more: one that is being written is waited for until it is known why
        while (current == eventfd && System.nanoTime() - end < 0) {
            if (waits(HELD_UP)) {
                eventfd.takeAtOnce();
            }
            LockSupport.parkNanos(STEP);
        }
    }

    /** Ends the thread. One that a guest holds in a write is left behind, and named. */
    @Override
    public void close() {
        Thread ending;
        synchronized (this) {
            closed = true;
            ending = thread;
        }
        if (ending == null) {
            return;
        }
        LockSupport.unpark(ending);
        try {
            if (!ending.join(LEAVING)) {
                LOG.warn("export {}: the thread {} is left behind: {}", name, ending.getName(), problem());
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
