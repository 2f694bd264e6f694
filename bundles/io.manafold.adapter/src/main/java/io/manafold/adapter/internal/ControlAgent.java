package io.manafold.adapter.internal;

import io.manafold.agent.Agent;
import io.manafold.agent.Mistakes;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The agent that an adapter's configuration belongs to: commands of its driver, orders of its administrator. */
final class ControlAgent implements Agent.Work, AutoCloseable {
    /** What the agent does whenever it is woken. */
    @FunctionalInterface
    interface Duty {
        /** @return in how many nanoseconds it wants to be called without being woken */
        long run();
    }

    private static final Logger LOG = LoggerFactory.getLogger(ControlAgent.class);
    private static final long PATIENCE_SECONDS = 20;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String name;
    private final Duty duty;
    private final Agent agent;
    private final ConcurrentLinkedQueue<Runnable> orders = new ConcurrentLinkedQueue<>();
    private final Mistakes mistakes;
    private long rest;
    private boolean paused;
    private long pausedUntil;

    ControlAgent(String name, Duty duty) {
        this.name = name;
        this.duty = duty;
        mistakes = new Mistakes(defect -> LOG.error("{} has a defect and goes on; further ones of this kind are not "
                + "logged", name, defect));
        agent = Agent.ofControl(name, this);
    }

    void start() {
        agent.start();
    }

    /** Has the duty run soon. Any thread; nearly free if it is awake already. */
    void wake() {
        agent.wake();
    }

    /** Has an order carried out, after those before it; never waits. */
    void execute(Runnable order) {
        orders.add(order);
        agent.wake();
    }

    /** Has an order carried out and waits for it; what it throws is thrown here. Nothing once the agent has ended. */
    void await(Runnable order) {
        if (agent.isCurrent()) {
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
            while (end.isDone() || agent.isAlive()) {
                if (deadline - System.nanoTime() < 0) {
                    LOG.error("{} did not answer within {} s; going on without it", name, PATIENCE_SECONDS);
                    return;
                }
                try {
                    end.get(PAUSE_NANOS, TimeUnit.NANOSECONDS);
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

    /** Ends the agent after what it was ordered before, and waits for its end. */
    @Override
    public void close() {
        agent.end(this::drain);
        if (!agent.isCurrent() && !agent.join(Duration.ofSeconds(PATIENCE_SECONDS))) {
            LOG.error("{} does not end", name);
        }
    }

    // ---- on the agent

    @Override
    public int doWork() {
        drain();
        if (paused && pausedUntil - System.nanoTime() > 0) {
            rest = pausedUntil - System.nanoTime();
            return 0;
        }
        try {
            rest = duty.run();
            paused = false;
        } catch (RuntimeException | Error defect) {
            failed(defect);
            paused = true;
            pausedUntil = System.nanoTime() + PAUSE_NANOS;
            rest = PAUSE_NANOS;
        }
        return rest <= 0 ? 1 : 0;
    }

    private void drain() {
        for (Runnable order = orders.poll(); order != null; order = orders.poll()) {
            try {
                order.run();
            } catch (RuntimeException | Error defect) {
                failed(defect);
            }
        }
    }

    @Override
    public long restNanos() {
        return rest;
    }

    @Override
    public void failed(Throwable defect) {
        mistakes.log(defect);
    }
}
