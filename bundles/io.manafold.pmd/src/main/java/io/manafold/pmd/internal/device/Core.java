package io.manafold.pmd.internal.device;

import io.manafold.api.agent.DutyCycle;
import io.manafold.api.agent.TurnHost;
import io.manafold.api.ethdev.CoreRun;
import io.manafold.api.ethdev.CoreWork;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Processors;
import io.manafold.linux.SystemCallException;
import io.manafold.memory.PacketKeep;
import io.manafold.memory.PacketPool;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.BitSet;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes turns at some work until it is stopped: on a thread of its own, or after those of a port on the thread of the
 * port's agent.
 */
final class Core implements CoreRun, Runnable, DutyCycle {
    private static final Logger LOG = LoggerFactory.getLogger(Core.class);
    /** Empty turns after which other threads of the processor have theirs. */
    private static final int PATIENCE = 256;
    /** How long a turn is waited for on the thread of an agent that has not let the core go. */
    private static final long LAST_TURN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final VarHandle TURNS;
    private static final VarHandle EMPTY;

    static {
        try {
            TURNS = MethodHandles.lookup().findVarHandle(Core.class, "turns", long.class);
            EMPTY = MethodHandles.lookup().findVarHandle(Core.class, "empty", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final int number;
    private final Set<Integer> processors;
    private final CoreWork work;
    private final Runnable ended;
    private final ThreadFactory threads;
    /** What it keeps of pools between its turns on threads of others. */
    private final PacketKeep keep = new PacketKeep();
    /** Guarded by this object; {@code null} where it is not. */
    private Thread thread;
    private TurnHost host;
    private AutoCloseable membership;
    private boolean over;
    /** A thread that leaves an agent second waits for the one that does it first. */
    private final Object leaving = new Object();
    /** Whether an agent has not let it go, and a turn there may still go on; guarded by {@code leaving}. */
    private boolean held;
    /** In a turn on the thread of an agent; set before {@code barred} is read, and read after that is set. */
    private volatile Thread turning;
    /** Whether no more turns are taken on threads of agents. */
    private volatile boolean barred;
    private volatile boolean stopping;
    /** Whether its thread is where it was bound to; so it is before there is one. */
    private volatile boolean bound = true;
    private volatile Throwable failure;
    private long turns;
    private long empty;

    /**
     * Does nothing yet.
     *
     * @param processors that its thread is bound to; empty for any
     * @param ended is run when it has ended
     * @param threads makes one that it has of its own
     */
    Core(int number, Set<Integer> processors, CoreWork work, Runnable ended, ThreadFactory threads) {
        this.number = number;
        this.processors = processors;
        this.work = work;
        this.ended = ended;
        this.threads = threads;
    }

    /** On a thread of its own. If none can be started it has ended, so that its number is free for other work. */
    void start() {
        boolean begun = false;
        try {
            begin();
            begun = true;
        } finally {
            if (!begun) {
                end();
            }
        }
    }

    private synchronized void begin() {
        if (!stopping) {
            Thread own = threads.newThread(this);
            own.setName("lcore-" + number);
            own.start();
            thread = own;
        }
    }

    /** On the thread of a port's agent. */
    synchronized void start(TurnHost on) {
        if (stopping) {
            // stopped since it was launched: no thread would take it from the agent again
            return;
        }
        membership = on.join(this);
        host = on;
    }

    /** The host is going: the work goes on with a thread of its own, or ends with a failure if it can have none. */
    void lose(TurnHost gone) {
        synchronized (this) {
            if (host != gone) {
                return;
            }
        }
        barred = true;
        try {
            if (leaveHost()) {
                begin();
            } else {
                // two threads in turns of the same work corrupt it
                fail(stuck());
            }
        } catch (Throwable wrong) {
            // other cores of the host are yet to hear that it goes
            fail(wrong);
            LOG.error("Core {} has ended with the agent it took turns with: it has no thread of its own", number,
                    wrong);
        }
    }

    private void fail(Throwable wrong) {
        failure = wrong;
        stopping = true;
        end();
    }

    private Refusal stuck() {
        return new Refusal(Errno.ETIMEDOUT, "Core " + number + " has ended in the middle of a turn: the agent it took "
                + "turns with did not let it go, and the turn may still go on. Launch its work again; the log says "
                + "what that agent was busy with.");
    }

    /**
     * After {@code barred} is set. What it keeps of pools goes home, but while a turn of an agent goes on.
     *
     * @return whether the work is in no turn of an agent any more
     */
    private boolean leaveHost() {
        synchronized (leaving) {
            AutoCloseable last;
            synchronized (this) {
                last = membership;
                membership = null;
                host = null;
            }
            held = last == null ? held : !leave(last);
            if (held) {
                held = !hasEnded();
            }
            if (!held) {
                keep.flush();
            }
            return !held;
        }
    }

    private boolean leave(AutoCloseable last) {
        try {
            last.close();
            return true;
        } catch (Exception wrong) {
            LOG.warn("Core {} does not leave the agent it takes turns with", number, wrong);
            return false;
        }
    }

    /** An agent that has not let it go may call it for ever, but no more than one turn comes of that. */
    private boolean hasEnded() {
        long begin = System.nanoTime();
        while (turning != null && System.nanoTime() - begin < LAST_TURN_NANOS) {
            Thread.yield();
        }
        return turning == null;
    }

    // ---- a thread of its own

    @Override
    public void run() {
        bind();
        PacketPool.enter();
        try {
            int idle = 0;
            while (!stopping) {
                idle = turn() > 0 ? 0 : rest(idle);
            }
        } catch (Throwable wrong) {
            failure = wrong;
        } finally {
            PacketPool.leave();
            end();
        }
    }

    /** A host may have other plans for its processors: then the thread is where those are. */
    private void bind() {
        if (processors.isEmpty()) {
            return;
        }
        try {
            BitSet set = new BitSet();
            processors.forEach(set::set);
            Processors.allow(set);
        } catch (SystemCallException refused) {
            bound = false;
            LOG.warn("Core {} is not bound to the processors {}, which the host does not let it use: {}", number,
                    processors, refused.getMessage());
        }
    }

    /** A core that takes turns with an agent runs wherever that runs. */
    synchronized boolean isBound() {
        return bound && host == null;
    }

    private int turn() {
        int done = work.turn();
        if (done == 0) {
            EMPTY.setOpaque(this, empty + 1);
        }
        TURNS.setOpaque(this, turns + 1);
        return done;
    }

    private static int rest(int idle) {
        if (idle < PATIENCE) {
            Thread.onSpinWait();
            return idle + 1;
        }
        Thread.yield();
        return idle;
    }

    private void end() {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
        }
        ended.run();
    }

    // ---- on the thread of an agent

    @Override
    public int doWork() {
        turning = Thread.currentThread();
        if (barred) {
            turning = null;
            return 0;
        }
        PacketPool.resume(keep);
        try {
            return turn();
        } catch (Throwable wrong) {
            failure = wrong;
            stopElsewhere();
            return 0;
        } finally {
            PacketPool.pause();
            turning = null;
        }
    }

    /** It polls, and never rests. */
    @Override
    public long restNanos() {
        return barred ? UNTIL_WOKEN : 0;
    }

    // ---- for others

    @Override
    public long turns() {
        return (long) TURNS.getOpaque(this);
    }

    @Override
    public long emptyTurns() {
        return (long) EMPTY.getOpaque(this);
    }

    @Override
    public Throwable failure() {
        return failure;
    }

    @Override
    public void stop() {
        if (!stop(Duration.ofNanos(Long.MAX_VALUE))) {
            throw stuck();
        }
    }

    /** The same, and waits no longer than a limit. Returns whether the core is in no turn any more. */
    boolean stop(Duration limit) {
        if (turning == Thread.currentThread()) {
            stopElsewhere();
            return true;
        }
        stopping = true;
        barred = true;
        boolean left = leaveHost();
        Thread own;
        synchronized (this) {
            own = thread;
        }
        if (own == null) {
            end();
            return left;
        }
        return own == Thread.currentThread() || join(own, limit);
    }

    /** Not from within a turn: the turn host waits for that to end. */
    private void stopElsewhere() {
        stopping = true;
        barred = true;
        try {
            Thread own = threads.newThread(() -> stop(Duration.ZERO));
            own.setName("lcore-" + number + "-end");
            own.start();
        } catch (Throwable wrong) {
            end();
            LOG.error("Core {} has ended, and does not leave the agent it took turns with before it is stopped again",
                    number, wrong);
        }
    }

    private static boolean join(Thread thread, Duration limit) {
        boolean interrupted = false;
        long begin = System.nanoTime();
        long left = limit.toNanos();
        while (thread.isAlive() && left > 0) {
            try {
                TimeUnit.NANOSECONDS.timedJoin(thread, left);
            } catch (InterruptedException _) {
                interrupted = true;
            }
            left = limit.toNanos() - (System.nanoTime() - begin);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
