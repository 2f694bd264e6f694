package io.manafold.netshaper.internal.place;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call after the other, in the order in which they came, on a thread of a pool that they have while there are any.
 */
final class SerialExecutor implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    private final Executor pool;
    private final Queue<Runnable> calls = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    /** @param pool has a thread for each who asks for one, so that no turns wait for those of others */
    SerialExecutor(Executor pool) {
        this.pool = pool;
    }

    @Override
    public void execute(Runnable call) {
        calls.add(call);
        if (waiting.getAndIncrement() == 0) {
            try {
                pool.execute(this::run);
            } catch (RejectedExecutionException over) {
                LOG.debug("nothing is done any more", over);
            }
        }
    }

    private void run() {
        do {
            try {
                calls.remove().run();
            } catch (RuntimeException | Error failed) {
                LOG.warn("what was to be done with shapers failed", failed);
            }
        } while (waiting.decrementAndGet() > 0);
    }
}
