package io.manafold.benchmark;

import io.manafold.agent.Agent;
import java.util.concurrent.locks.LockSupport;

/** Keeps an agent on a thread of its own, between slices too, so that processor time is that of one thread. */
public final class Awake implements AutoCloseable {
    private static final long OFTEN_NANOS = 50_000;
    private static final long SELDOM_NANOS = 5_000_000;
    private static final long PATIENCE = 20_000_000_000L;

    private final Thread pulse;
    private volatile boolean closed;

    public Awake(Agent agent) {
        pulse = Thread.ofPlatform().daemon().name("pulse").start(() -> {
            while (!closed) {
                agent.wake();
                LockSupport.parkNanos(agent.hasThread() ? SELDOM_NANOS : OFTEN_NANOS);
            }
        });
        long limit = System.nanoTime() + PATIENCE;
        while (!agent.hasThread()) {
            if (System.nanoTime() - limit > 0) {
                throw new IllegalStateException("an agent that is woken all the time gets no thread");
            }
            LockSupport.parkNanos(OFTEN_NANOS);
        }
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        pulse.join();
    }
}
