package io.manafold.vfio.internal.protocol;

import io.manafold.agent.Mistakes;
import io.manafold.linux.EventFd;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the eventfds of an export's guest, on a thread of its own. An eventfd that came over a socket is shared with
 * the client: it may be full, and the client may have made it block again at any moment. So the agent of a link, which
 * serves others too, only sets a bit and wakes this thread, and a guest that does not take its interrupts loses them
 * alone. A client that leaves and holds the thread all the same keeps it, and the next one has another.
 */
public final class InterruptWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(InterruptWriter.class);
    private static final VarHandle BITS = MethodHandles.arrayElementVarHandle(long[].class);
    /** A write takes a microsecond; one that takes as long as this waits for the guest. */
    private static final long STUCK = TimeUnit.SECONDS.toNanos(1);
    /** Threads of an export that clients which have left may hold, one each. */
    static final int MOST_HELD = 4;
    private static final Duration LEAVING = Duration.ofSeconds(1);
    /** How soon it is tried again to let threads go that clients which have left hold, while a client lacks one. */
    private static final long AFTER_EXHAUSTION = TimeUnit.MILLISECONDS.toNanos(100);
    /** How soon after a thread could not be started: for each of those the virtual machine prints a line. */
    static final long AFTER_REFUSAL = TimeUnit.SECONDS.toNanos(1);

    private record Target(EventFd eventfd, SessionCounters costs) {
    }

    private final String name;
    private final Runnable lacking;
    private final ThreadFactory threads;
    private final Consumer<Throwable> log;
    private final AtomicReferenceArray<Target> targets;
    /** Vectors with a signal to write, a bit each. */
    private final long[] raised;
    /** Vectors that had a signal when they had no eventfd. */
    private final long[] pending;
    private Thread thread;
    /** What the thread is at; {@code null} while there is none. */
    volatile WriteInProgress current;
    /** The threads that clients held when they left, and what those are at. */
    private final Map<WriteInProgress, Thread> held = new HashMap<>();
    /** Whether the last thread that was to be started could not be, and when that was. */
    private boolean refused;
    private long refusedAt;
    private volatile boolean closed;
    private boolean told;
    private boolean toldRefused;
    private final AtomicLong stuck = new AtomicLong();

    /**
     * @param lacking runs when interrupts of a client have no thread that writes them: from then on {@link #retry} is
     *        to be called, see {@link #untilRetry}
     * @param threads makes the threads, which this names and starts
     */
    InterruptWriter(String name, int vectors, Runnable lacking, ThreadFactory threads) {
        this(name, vectors, lacking, threads, defect -> LOG.error("export {}: interrupts were not written because of a "
                + "defect; it goes on. Further ones of its kind are not told", name, defect));
    }

    /** @param log writes a defect */
    InterruptWriter(String name, int vectors, Runnable lacking, ThreadFactory threads, Consumer<Throwable> log) {
        this.name = name;
        this.lacking = lacking;
        this.threads = threads;
        this.log = log;
        targets = new AtomicReferenceArray<>(vectors);
        raised = new long[(vectors + 63) / 64];
        pending = new long[raised.length];
    }

    /** Directs a vector to an eventfd, which this then owns, or to none; the one before is closed. */
    void target(int vector, EventFd eventfd, SessionCounters costs) {
        Target old = targets.getAndSet(vector, eventfd == null ? null : new Target(eventfd, costs));
        if (old != null) {
            release(old.eventfd);
        }
        raiseIfPending(vector);
        if (eventfd != null) {
            // the vector is directed already: where there is no thread, this is what has one started later
            retry();
            tellIfLacking();
        }
    }

    /** Closed, an eventfd could be emptied no more: one that the thread does not get out of, that closes itself. */
    private void release(EventFd eventfd) {
        WriteInProgress now = current;
        if (now != null) {
            now.letOut(eventfd);
        }
        if (now == null || !now.isAt(eventfd)) {
            eventfd.close();
        }
    }

    /**
     * Forgets a guest that has gone: its eventfds, and all signals that were not written. None of them is written any
     * more when this returns, except by a thread that the guest holds, which is not this one's any more.
     */
    void forget() {
        List<EventFd> gone = new ArrayList<>();
        for (int vector = 0; vector < targets.length(); vector++) {
            Target old = targets.getAndSet(vector, null);
            if (old != null) {
                gone.add(old.eventfd);
            }
        }
        drop();
        // all are out of the thread's reach by now: it can be held by one of them, and not by each in turn
        WriteInProgress now = current;
        if (now != null) {
            now.letOut();
        }
        for (EventFd eventfd : gone) {
            if (now == null || !now.isAt(eventfd)) {
                eventfd.close();
            }
        }
        leaveBehind();
        // what the thread found without an eventfd meanwhile
        drop();
    }

    private void drop() {
        for (int i = 0; i < raised.length; i++) {
            BITS.setVolatile(raised, i, 0L);
            BITS.setVolatile(pending, i, 0L);
        }
    }

    private synchronized void leaveBehind() {
        WriteInProgress now = current;
        // one that has just begun finds its eventfd gone
        if (now == null || !now.isHeldUp()) {
            return;
        }
        held.put(now, thread);
        current = null;
        // it may have got out in this moment, and rest
        LockSupport.unpark(thread);
        stuck.incrementAndGet();
        if (!told) {
            told = true;
            LOG.warn("export {}: a guest that has gone fills an eventfd whenever it is emptied, and holds the thread {}"
                    + " with it; the next guest has another one. Further ones are not told", name, thread.getName());
        }
        thread = null;
    }

    /** Has a vector's eventfd written soon. Any thread; waits for nothing. */
    void raise(int vector) {
        long bit = 1L << vector;
        long before = (long) BITS.getAndBitwiseOr(raised, vector >> 6, bit);
        WriteInProgress now = current;
        if ((before & bit) == 0 && now != null && now.isResting()) {
            LockSupport.unpark(thread);
        }
    }

    /** How often a write has had to wait for the guest. */
    public long stuck() {
        WriteInProgress now = current;
        return stuck.get() + (now != null && now.nanos() > STUCK ? 1 : 0);
    }

    /** What is wrong at the moment, a sentence; {@code null} if nothing is. */
    public String problem() {
        WriteInProgress now = current;
        if (now == null) {
            return lacksThread() ? whyThereIsNone() : null;
        }
        long nanos = now.nanos();
        return nanos > STUCK ? "the guest does not take its interrupts: the eventfd of vector " + now.vector()
                + " has been full for " + TimeUnit.NANOSECONDS.toSeconds(nanos)
                + " s, and blocks. They wait until the guest reads it, or leaves" : null;
    }

    private synchronized String whyThereIsNone() {
        if (held.size() == MOST_HELD) {
            return "guests that have gone hold " + MOST_HELD + " threads with eventfds that they keep full, and there "
                    + "is none that writes this one's interrupts: they wait until those end";
        }
        return refused ? "no thread can be started that writes this one's interrupts: they wait until one can, which "
                + "is tried once a second. There are as many as the user, the control group or the memory allow: see "
                + "'ulimit -u' and pids.max" : null;
    }

    /**
     * Whether no thread writes a client's interrupts: guests that have gone hold as many as they may, or none can be
     * started.
     */
    public boolean lacksThread() {
        return current == null && !closed && isDirected();
    }

    private boolean isDirected() {
        for (int vector = 0; vector < targets.length(); vector++) {
            if (targets.get(vector) != null) {
                return true;
            }
        }
        return false;
    }

    private void tellIfLacking() {
        try {
            if (lacksThread()) {
                lacking.run();
            }
        } catch (RuntimeException | Error failed) {
            // the next interrupt that is directed, or the next client, has it tried again
        }
    }

    /**
     * Has a thread where an interrupt is directed, unless guests that have gone hold too many, or none can be started.
     * Those that are held end if their guests fill nothing any more. Waits for nothing.
     */
    public synchronized void retry() {
        nudge();
        if (isDirected()) {
            start();
        }
    }

    /** In how many nanoseconds to {@link #retry}; {@link Long#MAX_VALUE} as long as no interrupt lacks a thread. */
    public long untilRetry() {
        return lacksThread() ? untilStart() : Long.MAX_VALUE;
    }

    private synchronized long untilStart() {
        return refused && held.size() < MOST_HELD ? Math.max(0, refusedAt + AFTER_REFUSAL - System.nanoTime())
                : AFTER_EXHAUSTION;
    }

    /** Has a thread, unless guests that have gone hold too many, or none can be started. */
    private void start() {
        if (current != null || closed || held.size() == MOST_HELD
                || refused && System.nanoTime() - refusedAt < AFTER_REFUSAL) {
            return;
        }
        try {
            WriteInProgress begun = new WriteInProgress();
            Mistakes mistakes = new Mistakes(log);
            Thread next = threads.newThread(() -> run(begun, mistakes));
            next.setName("manafold-vfio-" + name + "-interrupts");
            // known before it can rest, so that an agent that sees it rest can wake it
            thread = next;
            current = begun;
            next.start();
            refused = false;
        } catch (OutOfMemoryError noMoreThreads) {
            current = null;
            thread = null;
            refused = true;
            refusedAt = System.nanoTime();
            tellRefused(noMoreThreads);
        }
    }

    private void tellRefused(OutOfMemoryError why) {
        if (toldRefused) {
            return;
        }
        toldRefused = true;
        try {
            LOG.warn("export {}: no thread can be started that writes the guest's interrupts, which is tried once a "
                    + "second; further times are not told: {}", name, why.getMessage());
        } catch (RuntimeException | Error untold) {
            // the guest's request goes on without the log
        }
    }

    /** Empties once each what guests that have gone hold threads with. */
    private void nudge() {
        held.keySet().forEach(WriteInProgress::nudge);
    }

    /** A thread has ended, whatever it was that ended it; the next one takes its place. */
    void ended(WriteInProgress own) {
        synchronized (this) {
            held.remove(own);
            if (current == own) {
                current = null;
                thread = null;
            }
            if (isDirected()) {
                start();
            }
        }
        tellIfLacking();
    }

    private void run(WriteInProgress own, Mistakes mistakes) {
        try {
            write(own, mistakes);
        } finally {
            ended(own);
        }
    }

    private void write(WriteInProgress own, Mistakes mistakes) {
        while (!closed && current == own) {
            try {
                if (!writeAll(own)) {
                    rest(own);
                }
            } catch (Throwable mistake) {
                mistakes.happened(mistake);
            }
        }
    }

    private void rest(WriteInProgress own) {
        own.resting(true);
        if (!anyRaised() && !closed && current == own) {
            LockSupport.park(this);
        }
        own.resting(false);
    }

    private boolean anyRaised() {
        for (int i = 0; i < raised.length; i++) {
            if ((long) BITS.getVolatile(raised, i) != 0) {
                return true;
            }
        }
        return false;
    }

    private boolean writeAll(WriteInProgress own) {
        boolean any = false;
        for (int i = 0; i < raised.length; i++) {
            for (long bits = (long) BITS.getVolatile(raised, i); bits != 0 && current == own; bits &= bits - 1) {
                long bit = Long.lowestOneBit(bits);
                // one at a time: those behind one that waits are still there for the next thread
                BITS.getAndBitwiseAnd(raised, i, ~bit);
                write(i * 64 + Long.numberOfTrailingZeros(bit), own);
                any = true;
            }
        }
        return any;
    }

    private void write(int vector, WriteInProgress own) {
        Target target = targets.get(vector);
        while (target != null) {
            own.begin(vector, target.eventfd);
            boolean written = false;
            long nanos;
            try {
                // either it is found gone here, or the thread that has taken it away finds it in use
                if (targets.get(vector) == target) {
                    target.costs.interrupt();
                    written = target.eventfd.signal();
                }
            } finally {
                nanos = own.end();
            }
            Target now = targets.get(vector);
            if (now != target) {
                target.eventfd.close();
            }
            if (current != own) {
                // left behind, which was counted then
                return;
            }
            if (nanos > STUCK) {
                stuck.incrementAndGet();
            }
            if (written || now == target) {
                return;
            }
            // gone: either there is another in its place, or the signal waits for one
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

    /** Ends the threads. Those that guests hold in a write are left behind, and named. */
    @Override
    public void close() {
        end().forEach((write, left) -> LOG.warn("export {}: the thread {} is left behind: the eventfd of vector {} is "
                + "full, and blocks", name, left.getName(), write.vector()));
    }

    /** Ends the threads; answers those that do not come to their end, and what they are at. */
    Map<WriteInProgress, Thread> end() {
        Map<WriteInProgress, Thread> ending;
        synchronized (this) {
            closed = true;
            nudge();
            ending = new HashMap<>(held);
            if (current != null) {
                ending.put(current, thread);
            }
        }
        ending.values().forEach(LockSupport::unpark);
        long until = System.nanoTime() + LEAVING.toNanos();
        try {
            for (Thread one : ending.values()) {
                one.join(Duration.ofNanos(until - System.nanoTime()));
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        ending.values().removeIf(one -> !one.isAlive());
        return ending;
    }
}
