package io.manafold.agent;

import io.manafold.api.agent.DutyCycle;
import io.manafold.memory.RawMemory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Does all the work of a link, a device or a function, on one thread at a time. It runs commands, then one cycle, again
 * and again. With traffic it has a thread of its own, and its idle policy says what that does when there is nothing to
 * do; without, it takes short shifts on threads that all agents share.
 */
public final class Agent {
    /** What an agent does. */
    @ConsumerType
    public interface Work extends DutyCycle {
        /** Commands and a cycle follow. */
        default void begin() {
        }

        /** Commands and cycle are over, however they ended. */
        default void end() {
        }

        /**
         * Which thread does what follows; {@code null} says that none does until the next is named. On the thread
         * before.
         */
        default void movesTo(Thread thread) {
        }

        /** Something came out of a cycle or a command that should not have. */
        void failed(Throwable mistake);
    }

    /** Turns at a stretch. */
    private static final int SHIFT_TURNS = 4096;
    /** How long one keeps a shared thread, if a turn is not longer. */
    private static final long SHARED_NANOS = 500_000;
    /**
     * An agent that did something in so many turns of such a while has traffic; one that did in fewer was only slowed
     * down.
     */
    private static final int BUSY_TURNS = 64;
    /** What is due sooner is traffic. */
    private static final long SOON_NANOS = 1_000_000;
    private static final int MOST_FAILURES = 64;
    private static final long PAUSE_NANOS = 100_000_000;
    private static final MethodHandle SHIFT;

    static {
        try {
            SHIFT = MethodHandles.lookup().findVirtual(Agent.class, "shift", MethodType.methodType(long.class));
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final String name;
    private final Work work;
    /** On whose thread it works, {@code null} if not on another agent's. */
    private final Agent host;
    /** Who takes turns on this agent's thread; touched there only. */
    private final List<Agent> guests = new ArrayList<>();
    /** Whether traffic gets it a thread of its own. */
    private final boolean hasTraffic;
    private final CountDownLatch left = new CountDownLatch(1);
    /** To a compiler what a field of an object holds is not known, as that of a constant would be. */
    private final MethodHandle shift = SHIFT;
    private final IdlePolicy idle = new IdlePolicy();
    private final Commands commands = new Commands();
    private ArrayDeque<Runnable> taken = new ArrayDeque<>();
    private volatile Thread thread;
    private volatile boolean ownThread;
    private volatile boolean started;
    /** Cycles in a row that ended in a mistake. One costs no time; a cycle that only fails must keep no processor. */
    private int failures;

    /** For traffic. */
    public Agent(String name, Work work) {
        this(name, work, null, true);
    }

    /** Has no thread of its own: after each turn of its host it takes one on that one's thread. The host ends last. */
    public Agent(Agent host, Work work) {
        this(host.name, work, host.host == null ? host : host.host, false);
    }

    private Agent(String name, Work work, Agent host, boolean hasTraffic) {
        this.name = name;
        this.work = work;
        this.host = host;
        this.hasTraffic = hasTraffic;
    }

    /** For what is rare, however long it takes at times: never has a thread of its own. */
    public static Agent ofControl(String name, Work work) {
        return new Agent(name, work, null, false);
    }

    /** Begins with a first cycle. */
    public void start() {
        started = true;
        if (host == null) {
            idle.begin();
            wake();
        } else if (!host.execute(new Lane(), this::enter)) {
            throw new IllegalStateException("The agent of " + name + " has ended and takes no guest.");
        }
    }

    private void enter() {
        host.guests.add(this);
        work.movesTo(host.thread);
    }

    public String name() {
        return name;
    }

    public boolean isCurrent() {
        return Thread.currentThread() == thread();
    }

    /** Who does its work now; {@code null} while it rests. */
    public Thread thread() {
        return host == null ? thread : host.thread;
    }

    /** Whether there has been so much to do lately that it has a thread of its own. */
    public boolean hasThread() {
        return host == null ? ownThread : host.ownThread;
    }

    /** Whether it has begun and not come to its end. */
    public boolean isAlive() {
        return started && left.getCount() > 0;
    }

    /** How often it had to be woken by a call into the kernel. */
    public long wakes() {
        return idle.wakes();
    }

    /** What the caller has stored before is seen by a cycle that begins after this call. */
    public void wake() {
        if (host != null) {
            host.wake();
        } else if (claim()) {
            SharedThreads.ALL.submit(this);
        }
    }

    /** Wakes it; true if it has no thread, and the caller finds one. */
    boolean claim() {
        int found = isCurrent() ? idle.wakeHere() : idle.wake();
        if (found == IdlePolicy.PARKED) {
            LockSupport.unpark(thread);
        }
        return found == IdlePolicy.RESTING;
    }

    /**
     * Has a command run before the next cycle; waits while there are too many.
     *
     * @return false if the lane is shut or the agent has come to its end: the command will not run
     */
    public boolean execute(Lane lane, Runnable command) {
        boolean added = commands.add(lane, command, !isCurrent());
        if (added) {
            wake();
        }
        return added;
    }

    /** Like {@link #execute}, but this command is the lane's last. */
    public boolean shut(Lane lane, Runnable last) {
        boolean added = commands.shut(lane, last);
        if (added) {
            wake();
        }
        return added;
    }

    /** Ends the agent after what was handed over before and a last command; returns at once. */
    public boolean end(Runnable last) {
        boolean added = commands.end(last);
        if (added) {
            wake();
        }
        return added;
    }

    /** Interrupts what it is at, if it is at anything; what it does later is not interrupted. */
    public void interrupt() {
        synchronized (idle) {
            if (thread != null) {
                thread.interrupt();
            }
        }
    }

    /** Whether it has come to its end within a time. */
    public boolean join(Duration limit) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            while (true) {
                try {
                    return left.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void moveTo(Thread next) {
        if (next == null) {
            tell(null);
        }
        synchronized (idle) {
            thread = next;
            // what was meant for this agent must not hit the next one
            Thread.interrupted();
        }
        if (next != null) {
            tell(next);
        }
    }

    private void tell(Thread next) {
        try {
            work.movesTo(next);
            for (int i = 0; i < guests.size(); i++) {
                guests.get(i).work.movesTo(next);
            }
        } catch (Throwable mistake) {
            failed(mistake);
        }
    }

    // ---- on a thread that agents share

    /** Works for a moment, or until there is nothing to do. It has been claimed before. */
    void sharedShift() {
        moveTo(Thread.currentThread());
        do {
            try {
                workShared();
            } catch (Throwable late) {
                failed(late);
            }
        } while (isCurrent());
    }

    private void workShared() {
        long begin = System.nanoTime();
        int busy = 0;
        while (!hasEnded()) {
            if (turns() > 0) {
                busy++;
            } else if (restShared()) {
                return;
            }
            if (failures >= MOST_FAILURES) {
                failures = 0;
                settle();
                moveTo(null);
                SharedThreads.ALL.submitIn(this, PAUSE_NANOS);
                return;
            }
            if (System.nanoTime() - begin > SHARED_NANOS) {
                moveOn(hasTraffic && busy >= BUSY_TURNS);
                return;
            }
        }
        leave();
    }

    /**
     * Looks a last time and rests; false if something has come up. Once it is true nothing of this agent may be
     * touched.
     */
    private boolean restShared() {
        idle.look();
        long nanos = turns() > 0 || commands.isClosed() ? 0 : restNanos();
        if (nanos <= 0) {
            idle.found();
            return false;
        }
        if (hasTraffic && (nanos < SOON_NANOS || idle.isFrequent())) {
            idle.found();
            moveOn(true);
            return true;
        }
        if (restWithoutThread(nanos)) {
            return true;
        }
        idle.found();
        return false;
    }

    private boolean restWithoutThread(long nanos) {
        settle();
        moveTo(null);
        if (nanos != DutyCycle.UNTIL_WOKEN) {
            SharedThreads.ALL.wakeIn(this, nanos);
        }
        if (idle.rest()) {
            return true;
        }
        moveTo(Thread.currentThread());
        return false;
    }

    /** Goes on elsewhere: on a thread of its own, or after the others here. */
    private void moveOn(boolean own) {
        settle();
        moveTo(null);
        if (!own || !startThread()) {
            SharedThreads.ALL.submit(this);
        }
    }

    private boolean startThread() {
        idle.count(System.nanoTime());
        Thread next = new Thread(null, this::run, name, 0, false);
        next.setDaemon(true);
        next.setContextClassLoader(null);
        try {
            next.start();
            return true;
        } catch (OutOfMemoryError noMoreThreads) {
            return false;
        }
    }

    private void leave() {
        ownThread = false;
        moveTo(null);
        SharedThreads.ALL.forget(this);
        left.countDown();
    }

    // ---- on a thread of its own

    private void run() {
        SharedThreads.sharpenTimers();
        moveTo(Thread.currentThread());
        ownThread = true;
        while (true) {
            try {
                if (loop()) {
                    leave();
                }
                return;
            } catch (Throwable late) {
                // a touch of vanished memory may be told outside of every cycle
                failed(late);
            }
        }
    }

    /**
     * The code of a method that is never left is never replaced either, and keeps alive every class that was compiled
     * into it, those of drivers that have long gone included. So nothing is done here, and what is called is called so
     * that no compiler can make it a part of this.
     *
     * @return false if the agent rests without a thread from here on: nothing of it may be touched
     */
    private boolean loop() throws Throwable {
        while (!hasEnded()) {
            long nanos = (long) shift.invokeExact(this);
            if (nanos > 0) {
                if (!idle.isSeldom()) {
                    idle.park(this, nanos);
                } else {
                    ownThread = false;
                    if (restWithoutThread(nanos)) {
                        return false;
                    }
                    ownThread = true;
                }
            }
            idle.resume();
        }
        return true;
    }

    private boolean hasEnded() {
        return isOver() && guests.isEmpty();
    }

    /** Works for a while, or until there is nothing to do; returns how long to park, 0 not to. */
    private long shift() {
        for (int turn = 0; turn < SHIFT_TURNS && !hasEnded(); turn++) {
            if (turns() > 0) {
                idle.worked();
            } else if (failures >= MOST_FAILURES) {
                failures = 0;
                LockSupport.parkNanos(PAUSE_NANOS);
            } else if (!idle.spins()) {
                return lookOnce();
            }
        }
        return 0;
    }

    /** Looks a last time; returns how long to park, 0 if something has come up or is near. */
    private long lookOnce() {
        idle.prepare();
        if (turns() > 0 || commands.isClosed()) {
            return 0;
        }
        long nanos = restNanos();
        return idle.isWorthParking(nanos) ? nanos : 0;
    }

    private long restNanos() {
        long nanos;
        try {
            nanos = work.restNanos();
        } catch (Throwable mistake) {
            failed(mistake);
            return 0;
        }
        for (int i = 0; i < guests.size(); i++) {
            nanos = Math.min(nanos, guests.get(i).restNanos());
        }
        return nanos;
    }

    private boolean isOver() {
        return commands.isClosed() && !commands.isWaiting() && taken.isEmpty();
    }

    private int turns() {
        int done = turn();
        for (int i = 0; i < guests.size(); i++) {
            Agent guest = guests.get(i);
            done += guest.turn();
            if (guest.isOver()) {
                guests.remove(i--);
                guest.left.countDown();
                done++;
            }
        }
        return done;
    }

    private int turn() {
        int done = 0;
        try {
            work.begin();
            try {
                done = runCommands();
                done += work.doWork();
            } finally {
                work.end();
            }
            failures = 0;
        } catch (Throwable mistake) {
            failed(mistake);
            failures++;
        }
        return done;
    }

    private int runCommands() {
        if (!commands.isWaiting() && taken.isEmpty()) {
            return 0;
        }
        if (taken.isEmpty()) {
            taken = commands.take(taken);
        }
        int done = 0;
        while (!taken.isEmpty()) {
            // what a cycle or another command has done must not be told in the middle of this one
            settle();
            Runnable command = taken.remove();
            done++;
            try {
                command.run();
            } catch (Throwable mistake) {
                failed(mistake);
            }
        }
        return done;
    }

    /** A touch of vanished memory is told now, if it has not been yet, and not when another has the thread. */
    private void settle() {
        try {
            RawMemory.settle();
        } catch (InternalError late) {
            failed(late);
        }
    }

    void failed(Throwable mistake) {
        try {
            work.failed(mistake);
        } catch (Throwable again) {
            // not even telling works, nor would noting that; the agent must outlive whatever is in its way
        }
    }
}
