package io.manafold.bus.internal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.Delayed;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread on which the driver core thinks. All its state is confined here; it never runs foreign code. */
final class Loop implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);

    /** So long at most nothing is shown while one step follows the other. */
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final ScheduledThreadPoolExecutor executor;
    private final Runnable publish;
    private final ArrayDeque<Runnable> epilogue = new ArrayDeque<>();
    private long shown = System.nanoTime();

    /** @param publish run at the end of each step, to show the world what has become */
    Loop(String name, Runnable publish) {
        this.publish = publish;
        executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(null, task, name, 0, false);
            thread.setDaemon(true);
            thread.setContextClassLoader(null);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(guarded(task));
    }

    /** Like {@link #execute}, for news that is of no use any more once the loop has ended. */
    void tell(Runnable task) {
        try {
            execute(task);
        } catch (RejectedExecutionException ended) {
            LOG.debug("news after the end of the driver core");
        }
    }

    Future<?> after(Duration delay, Runnable task) {
        return executor.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Runs a task at the end of this step, after it was published: the way to answer those who wait. */
    void afterStep(Runnable task) {
        epilogue.add(task);
    }

    void end() {
        executor.shutdown();
    }

    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error mistake) {
                LOG.error("the driver core could not finish a step", mistake);
            } finally {
                if (isShown()) {
                    publish.run();
                    shown = System.nanoTime();
                }
                while (!epilogue.isEmpty()) {
                    epilogue.remove().run();
                }
            }
        };
    }

    /**
     * Whether the world is shown what has become now: when an answer is due, or the last of several steps is over, but
     * not seldom.
     */
    private boolean isShown() {
        Delayed next = (Delayed) executor.getQueue().peek();
        return !epilogue.isEmpty() || next == null || next.getDelay(TimeUnit.NANOSECONDS) > 0
                || System.nanoTime() - shown > LONGEST_NANOS;
    }
}
