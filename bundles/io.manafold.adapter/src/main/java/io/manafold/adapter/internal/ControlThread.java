package io.manafold.adapter.internal;

import io.manafold.agent.Mistakes;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one thread that an adapter's configuration belongs to: commands of its driver, orders of its administrator. */
final class ControlThread implements AutoCloseable {
    /** What the thread does whenever it is woken. */
    @FunctionalInterface
    interface Duty {
        /** @return in how many nanoseconds it wants to be called without being woken */
        long run();
    }

    private static final Logger LOG = LoggerFactory.getLogger(ControlThread.class);
    private static final long PATIENCE_SECONDS = 20;
    private static final long STEP_MILLIS = 100;

    private final ConcurrentLinkedQueue<Runnable> orders = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Duty duty;
    private final Thread thread;
    private final Mistakes mistakes = new Mistakes(this::log);
    private volatile boolean closed;

    ControlThread(String name, Duty duty) {
        this.duty = duty;
        this.thread = new Thread(null, this::run, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
    }

    void start() {
        thread.start();
    }

    /** Has the duty run soon. Any thread; nearly free if it is awake already. */
    void wake() {
        if (!woken.get() && !woken.getAndSet(true)) {
            LockSupport.unpark(thread);
        }
    }

    /** Has an order carried out, after those before it. */
    void execute(Runnable order) {
        orders.add(order);
        wake();
    }

    /** Has an order carried out and waits for it; what it throws is thrown here. Nothing once the thread has ended. */
    void await(Runnable order) {
        if (Thread.currentThread() == thread) {
            order.run();
            return;
        }
        CompletableFuture<Void> end = new CompletableFuture<>();
        execute(() -> {
            try {
                order.run();
                end.complete(null);
            } catch (Throwable failed) {
                end.completeExceptionally(failed);
            }
        });
        waitFor(end);
    }

    private void waitFor(CompletableFuture<Void> end) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        try {
            while (!isOver(end, deadline)) {
                try {
                    end.get(STEP_MILLIS, TimeUnit.MILLISECONDS);
                    return;
                } catch (InterruptedException again) {
                    interrupted = true;
                } catch (TimeoutException again) {
                    continue;
                }
            }
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException refused) {
                throw refused;
            }
            throw new CompletionException(failed.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether waiting is of no use any more. */
    private boolean isOver(CompletableFuture<Void> end, long deadline) {
        if (end.isDone()) {
            return false;
        }
        if (deadline - System.nanoTime() < 0) {
            LOG.error("{} did not answer within {} s; going on without it", thread.getName(), PATIENCE_SECONDS);
            return true;
        }
        return !thread.isAlive();
    }

    private void run() {
        while (!closed) {
            woken.set(false);
            long rest;
            try {
                drain();
                rest = duty.run();
            } catch (RuntimeException | Error failed) {
                mistakes.happened(failed);
                rest = 0;
            }
            if (!woken.get() && orders.isEmpty() && !closed) {
                rest(rest);
            }
        }
        drain();
    }

    private void log(Throwable failed) {
        LOG.error("{} has a defect and goes on; further ones of this kind are not logged", thread.getName(), failed);
    }

    private void rest(long nanos) {
        if (nanos == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else if (nanos > 0) {
            LockSupport.parkNanos(this, nanos);
        }
    }

    private void drain() {
        for (Runnable order = orders.poll(); order != null; order = orders.poll()) {
            try {
                order.run();
            } catch (RuntimeException | Error failed) {
                mistakes.happened(failed);
            }
        }
    }

    /** Ends the thread after what it was ordered before, and waits for its end. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        if (Thread.currentThread() == thread || !thread.isAlive()) {
            return;
        }
        boolean interrupted = false;
        while (true) {
            try {
                if (!thread.join(java.time.Duration.ofSeconds(PATIENCE_SECONDS))) {
                    LOG.error("{} does not end", thread.getName());
                }
                break;
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
