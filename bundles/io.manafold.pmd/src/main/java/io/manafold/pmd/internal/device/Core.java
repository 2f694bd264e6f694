package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.CoreRun;
import io.manafold.api.ethdev.CoreWork;
import io.manafold.memory.PacketPool;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A thread that takes turns at some work until it is stopped. */
final class Core implements CoreRun, Runnable {
    /** Empty turns after which other threads of the processor have theirs. */
    private static final int PATIENCE = 256;
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

    private final CoreWork work;
    private final Runnable ended;
    private final Thread thread;
    private volatile boolean stopping;
    private volatile Throwable failure;
    private long turns;
    private long empty;

    /** @param ended is run when it has ended */
    Core(int number, CoreWork work, Runnable ended) {
        this.work = work;
        this.ended = ended;
        thread = Thread.ofPlatform().name("lcore-" + number).daemon().unstarted(this);
    }

    void start() {
        thread.start();
    }

    @Override
    public void run() {
        PacketPool.enter();
        try {
            int idle = 0;
            while (!stopping) {
                if (work.turn() > 0) {
                    idle = 0;
                } else {
                    EMPTY.setOpaque(this, empty + 1);
                    idle = rest(idle);
                }
                TURNS.setOpaque(this, turns + 1);
            }
        } catch (Throwable wrong) {
            failure = wrong;
        } finally {
            PacketPool.leave();
            ended.run();
        }
    }

    private static int rest(int idle) {
        if (idle < PATIENCE) {
            Thread.onSpinWait();
            return idle + 1;
        }
        Thread.yield();
        return idle;
    }

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
        stop(Duration.ofNanos(Long.MAX_VALUE));
    }

    /** The same, and waits no longer than a limit. Returns whether the core is in no turn any more. */
    boolean stop(Duration limit) {
        stopping = true;
        if (thread == Thread.currentThread()) {
            return true;
        }
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
