package io.manafold.agent;

import io.manafold.api.agent.DutyCycle;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.Timers;
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
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The thread that does all the work of a link or a device. It runs commands, then one cycle, again and again; its idle policy says
 * what it does when there is nothing to do.
 */
public final class Agent {
    /** What an agent does. */
    public interface Work extends DutyCycle {
        /** Commands and a cycle follow. */
        void begin();

        /** Commands and cycle are over, however they ended. */
        void end();

        /** Something came out of a cycle or a command that should not have. */
        void failed(Throwable mistake);
    }

    private static final int COMMANDS = 1024;
    /** Turns at a stretch. */
    private static final int SHIFT_TURNS = 4096;
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

    private final Work work;
    private final Thread thread;
    /** On whose thread it works, {@code null} if on its own. */
    private final Agent host;
    /** Who takes turns on this agent's thread; touched there only. */
    private final List<Agent> guests = new ArrayList<>();
    private final CountDownLatch left = new CountDownLatch(1);
    /** To a compiler what a field of an object holds is not known, as that of a constant would be. */
    private final MethodHandle shift = SHIFT;
    private final IdlePolicy idle = new IdlePolicy();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private ArrayDeque<Runnable> incoming = new ArrayDeque<>();
    private ArrayDeque<Runnable> taken = new ArrayDeque<>();
    private volatile boolean waiting;
    private volatile boolean closed;
    /** Cycles in a row that ended in a mistake. */
    private int failures;

    public Agent(String name, Work work) {
        this.work = work;
        host = null;
        thread = new Thread(null, this::run, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
    }

    /** Has no thread of its own: after each turn of its host it takes one on that one's thread. The host ends last. */
    public Agent(Agent host, Work work) {
        this.work = work;
        this.host = host.host == null ? host : host.host;
        thread = host.thread;
    }

    public void start() {
        if (host == null) {
            thread.start();
        } else if (!host.execute(new Lane(), () -> host.guests.add(this))) {
            throw new IllegalStateException("The agent of " + thread.getName() + " has ended and takes no guest.");
        }
    }

    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    public Thread thread() {
        return thread;
    }

    /** How often it had to be woken by a call into the kernel. */
    public long wakes() {
        return idle.wakes();
    }

    /** What the caller has stored before is seen by a cycle that begins after this call. */
    public void wake() {
        if (host != null) {
            host.wake();
            return;
        }
        idle.wake(thread);
    }

    /**
     * Has a command run before the next cycle; waits while there are too many.
     *
     * @return false if the lane is shut or the agent has come to its end: the command will not run
     */
    public boolean execute(Lane lane, Runnable command) {
        lock.lock();
        try {
            while (incoming.size() >= COMMANDS && !closed && !lane.shut && !isCurrent()) {
                room.awaitUninterruptibly();
            }
            if (closed || lane.shut) {
                return false;
            }
            incoming.add(command);
            waiting = true;
        } finally {
            lock.unlock();
        }
        wake();
        return true;
    }

    /** Like {@link #execute}, but this command is the lane's last. */
    public boolean shut(Lane lane, Runnable last) {
        lock.lock();
        try {
            if (closed || lane.shut) {
                return false;
            }
            lane.shut = true;
            incoming.add(last);
            waiting = true;
            room.signalAll();
        } finally {
            lock.unlock();
        }
        wake();
        return true;
    }

    /** Ends the agent after what was handed over before and a last command; returns at once. */
    public boolean end(Runnable last) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            incoming.add(last);
            waiting = true;
            closed = true;
            room.signalAll();
        } finally {
            lock.unlock();
        }
        wake();
        return true;
    }

    /** Whether its thread has ended within a time, or where it is a guest has been left by it. */
    public boolean join(Duration limit) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + limit.toNanos();
        try {
            while (true) {
                long nanos = Math.max(1, deadline - System.nanoTime());
                try {
                    return host == null ? thread.join(Duration.ofNanos(nanos))
                            : left.await(nanos, TimeUnit.NANOSECONDS);
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

    private void run() {
        sharpenTimers();
        while (true) {
            try {
                loop();
                return;
            } catch (Throwable late) {
                // a touch of vanished memory may be told outside of every cycle
                failed(late);
            }
        }
    }

    private static void sharpenTimers() {
        try {
            Timers.slack(1);
        } catch (SystemCallException refused) {
            // in a sandbox, perhaps: then what falls due is a little later
        }
    }

    /**
     * The code of a method that is never left is never replaced either, and keeps alive every class that was compiled
     * into it, those of drivers that have long gone included. So nothing is done here, and what is called is called so
     * that no compiler can make it a part of this.
     */
    private void loop() throws Throwable {
        while (!hasEnded()) {
            long nanos = (long) shift.invokeExact(this);
            if (nanos > 0) {
                idle.park(this, nanos);
            }
            idle.resume();
        }
    }

    private boolean hasEnded() {
        return isOver() && guests.isEmpty();
    }

    /** Works for a while, or until there is nothing to do; returns how long to park, 0 not to. */
    private long shift() {
        for (int turn = 0; turn < SHIFT_TURNS && !hasEnded(); turn++) {
            if (turns() > 0) {
                idle.worked();
            } else if (!idle.spins()) {
                return lookOnce();
            }
        }
        return 0;
    }

    /** Looks a last time; returns how long to park, 0 if something has come up or is near. */
    private long lookOnce() {
        idle.prepare();
        if (turns() > 0 || closed) {
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
        return closed && !waiting && taken.isEmpty();
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
                done = commands();
                done += work.doWork();
            } finally {
                work.end();
            }
            failures = 0;
        } catch (Throwable mistake) {
            failed(mistake);
            pauseAfterMany();
        }
        return done;
    }

    /** One mistake costs others no time; a cycle that only fails must not keep a processor for it. */
    private void pauseAfterMany() {
        if (++failures >= MOST_FAILURES) {
            failures = 0;
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private int commands() {
        if (!waiting && taken.isEmpty()) {
            return 0;
        }
        if (taken.isEmpty()) {
            take();
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

    private void take() {
        lock.lock();
        try {
            ArrayDeque<Runnable> empty = taken;
            taken = incoming;
            incoming = empty;
            waiting = false;
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void settle() {
        try {
            RawMemory.settle();
        } catch (InternalError late) {
            failed(late);
        }
    }

    private void failed(Throwable mistake) {
        try {
            work.failed(mistake);
        } catch (Throwable again) {
            // not even telling works; the agent must outlive whatever is in its way
            mistake.addSuppressed(again);
        }
    }
}
