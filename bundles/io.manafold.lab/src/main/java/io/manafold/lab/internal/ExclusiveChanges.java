package io.manafold.lab.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs one change of labs after the other. It is no lock: a thread waits for a limited time only, and a change that a
 * listener to configurations begins from inside another is refused instead of waiting for itself.
 */
final class ExclusiveChanges {
    private final Semaphore permit = new Semaphore(1, true);
    private final Duration limit;
    private volatile Thread owner;

    ExclusiveChanges(Duration limit) {
        this.limit = limit;
    }

    <T> T run(Supplier<T> change) {
        if (owner == Thread.currentThread()) {
            throw new Refusal(Errno.EBUSY, "A lab is being changed by the same thread; let that end first.");
        }
        try {
            if (!permit.tryAcquire(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new Refusal(Errno.EBUSY, "Another change of labs has not ended within " + limit.toSeconds()
                        + " s; see log, then try again.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refusal(Errno.EINTR,
                    "Interrupted while waiting for another change of labs; nothing was changed.");
        }
        try {
            owner = Thread.currentThread();
            return change.get();
        } finally {
            owner = null;
            permit.release();
        }
    }
}
