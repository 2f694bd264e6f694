package io.manafold.agent;

import io.manafold.linux.SystemCallException;
import io.manafold.linux.Timers;
import io.manafold.memory.Locks;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A few threads for all agents that have none of their own. They come with work and go without. An agent that blocks
 * one of them costs the others nothing: another thread takes its place.
 */
final class SharedThreads {
    private static final int MOST = 1024;
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** A shift is far shorter, unless the kernel holds its thread in a call; Java calls such a thread runnable. */
    private static final long HELD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** No agent minds being woken so seldom, and times so near can be compared. */
    private static final long LONGEST_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final MethodHandle SHIFT;

    static {
        try {
            SHIFT = MethodHandles.lookup().findVirtual(Agent.class, "sharedShift", MethodType.methodType(void.class));
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    static final SharedThreads ALL = new SharedThreads(Math.max(4, 2 * Runtime.getRuntime().availableProcessors()));

    /** @param claimed whether the agent is not to be woken by others until then */
    private record Due(long nanos, Agent agent, boolean claimed) {
    }

    private final class Worker implements Runnable {
        private final String name = "manafold-shared-" + ++number;
        private final Thread thread = thread(name, this);
        private volatile boolean atWork;
        private volatile long since;

        @Override
        public void run() {
            sharpenTimers();
            boolean goesOn = true;
            while (goesOn) {
                Thread.interrupted();
                try {
                    goesOn = takesShift();
                } catch (OutOfMemoryError noMemory) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }

        /** What it worked for must not be held by this thread when it waits for more. */
        private boolean takesShift() {
            Agent agent = next(this);
            if (agent != null) {
                work(agent);
            }
            return agent != null;
        }

        private void work(Agent agent) {
            since = System.nanoTime();
            atWork = true;
            try {
                rename(agent.name());
                shift.invokeExact(agent);
            } catch (Throwable impossible) {
                agent.failed(impossible);
            }
            atWork = false;
        }

        /** So that who looks at the threads sees whose work a thread does. */
        void rename(String now) {
            if (!thread.getName().equals(now)) {
                thread.setName(now);
            }
        }

        boolean isBlocked() {
            return atWork && (thread.getState() != Thread.State.RUNNABLE || System.nanoTime() - since > HELD_NANOS);
        }
    }

    /** To a compiler what a field of an object holds is not known, see {@link Agent}. */
    private final MethodHandle shift = SHIFT;
    /** Threads that are not blocked, at most. */
    private final int usual;
    private final ReentrantLock lock = Locks.named("shared threads");
    private final Condition work = lock.newCondition();
    private final Condition shortage = lock.newCondition();
    private final ArrayDeque<Agent> ready = new ArrayDeque<>();
    private final PriorityQueue<Due> due = new PriorityQueue<>((one, other) -> Long.signum(one.nanos - other.nanos));
    private final Map<Agent, Due> times = new HashMap<>();
    private final List<Worker> workers = new ArrayList<>();
    private int idle;
    private int number;
    private boolean watched;

    SharedThreads(int usual) {
        this.usual = usual;
    }

    /** Has an agent take a shift after those who were there before. */
    void submit(Agent agent) {
        lock.lock();
        try {
            ready.add(agent);
            find();
        } finally {
            lock.unlock();
        }
    }

    /** Wakes an agent in a while, and not when was said before. */
    void wakeIn(Agent agent, long nanos) {
        add(new Due(System.nanoTime() + Math.min(nanos, LONGEST_NANOS), agent, false));
    }

    /** Has an agent that only the caller may touch take a shift in a while. */
    void submitIn(Agent agent, long nanos) {
        add(new Due(System.nanoTime() + nanos, agent, true));
    }

    private void add(Due next) {
        lock.lock();
        try {
            forget(next.agent);
            times.put(next.agent, next);
            due.add(next);
            if (due.peek() == next) {
                find();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Does not wake an agent. */
    void forget(Agent agent) {
        lock.lock();
        try {
            Due before = times.remove(agent);
            if (before != null) {
                due.remove(before);
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many threads there are. */
    int size() {
        lock.lock();
        try {
            return workers.size();
        } finally {
            lock.unlock();
        }
    }

    private void find() {
        if (idle > 0) {
            work.signal();
        } else if (workers.size() < usual) {
            begin();
        } else if (watched) {
            shortage.signal();
        } else {
            watched = start(thread("manafold-shared-watch", this::watch));
        }
    }

    private void begin() {
        Worker worker = new Worker();
        if (start(worker.thread)) {
            workers.add(worker);
        } else if (workers.isEmpty()) {
            throw new OutOfMemoryError("The system lets this process have no thread.");
        }
    }

    /** False if there can be no more threads: those that are there do the work. */
    private static boolean start(Thread thread) {
        try {
            thread.start();
            return true;
        } catch (OutOfMemoryError noMoreThreads) {
            return false;
        }
    }

    private static Thread thread(String name, Runnable code) {
        Thread thread = new Thread(null, code, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    }

    static void sharpenTimers() {
        try {
            Timers.slack(1);
        } catch (SystemCallException refused) {
            // in a sandbox, perhaps: then what falls due is a little later
        }
    }

    /** Whose shift it is; {@code null} if there is nothing to do for this thread any more, which is let go then. */
    private Agent next(Worker self) {
        lock.lock();
        try {
            long idleSince = System.nanoTime();
            while (true) {
                long rest = wakeDue();
                if (!ready.isEmpty()) {
                    if (idle == 0 && ready.size() + due.size() > 1) {
                        find();
                    }
                    return ready.poll();
                }
                boolean patient = System.nanoTime() - idleSince < IDLE_NANOS || !due.isEmpty() && idle == 0;
                if (!patient || workers.size() > usual) {
                    workers.remove(self);
                    return null;
                }
                self.rename(self.name);
                await(Math.min(rest, IDLE_NANOS));
            }
        } finally {
            lock.unlock();
        }
    }

    private void await(long nanos) {
        idle++;
        try {
            work.awaitNanos(nanos);
        } catch (InterruptedException meantForAnAgent) {
            // and that one is through
        } finally {
            idle--;
        }
    }

    /** Wakes the agents whose time has come; returns the time until the next. */
    private long wakeDue() {
        long now = System.nanoTime();
        for (Due first = due.peek(); first != null; first = due.peek()) {
            if (first.nanos - now > 0) {
                return first.nanos - now;
            }
            due.poll();
            times.remove(first.agent);
            if (first.claimed || first.agent.claim()) {
                ready.add(first.agent);
            }
        }
        return Long.MAX_VALUE;
    }

    // ---- while there are more agents than threads

    private void watch() {
        lock.lock();
        try {
            boolean waited = false;
            while (!waited || isCrowded()) {
                long rest = wakeDue();
                if (isShort()) {
                    begin();
                }
                waited = shortage.awaitNanos(Math.min(ready.isEmpty() ? IDLE_NANOS : LOOK_NANOS, rest)) <= 0;
            }
        } catch (InterruptedException unheard) {
            // it begins again with the next agent that waits
        } finally {
            watched = false;
            lock.unlock();
        }
    }

    private boolean isCrowded() {
        return idle == 0 && !(ready.isEmpty() && due.isEmpty());
    }

    /** Whether agents wait while threads are blocked. */
    private boolean isShort() {
        int running = 0;
        for (Worker worker : workers) {
            running += worker.isBlocked() ? 0 : 1;
        }
        return idle == 0 && !ready.isEmpty() && running < usual && workers.size() < MOST;
    }
}
