package io.manafold.ethernet.internal.function;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a function's ports, on a thread of its own. The driver core interrupts a driver that takes too long to
 * leave; so the core's thread waits for nothing that it could not leave at that moment.
 */
final class Closing {
    private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

    private final FutureTask<Void> task;

    private Closing(Runnable work) {
        task = new FutureTask<>(work, null);
    }

    /**
     * Does the work and waits for its end.
     *
     * @param interrupted is done at once, on the caller's thread, if that is interrupted; the work has to end soon then
     */
    static void run(String name, Runnable work, Runnable interrupted) {
        Closing closing = new Closing(work);
        closing.start(name);
        closing.await(interrupted);
    }

    private void start(String name) {
        try {
            Thread.ofPlatform().name(name).daemon().start(task);
        } catch (OutOfMemoryError noThread) {
            LOG.warn("{}: {}; the driver core waits for all of it", name, noThread.getMessage());
            task.run();
        }
    }

    private void await(Runnable interrupted) {
        boolean was = false;
        try {
            while (true) {
                try {
                    task.get();
                    return;
                } catch (InterruptedException givenUp) {
                    was = true;
                    interrupted.run();
                }
            }
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failed);
        } finally {
            if (was) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
