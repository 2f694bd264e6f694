package io.manafold.netdev;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs commands of other threads on a network device's thread, and waits for them; a command that is given up never
 * runs.
 */
public final class CommandQueue {
    /** How long a user above a device is waited for that holds its thread. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String name;
    private final DeviceThread thread;
    private final CommandLane lane;

    public CommandQueue(String name, DeviceThread thread) {
        this.name = name;
        this.thread = thread;
        lane = thread.lane();
    }

    /** Has something done on the device's thread and waits for it. */
    public void run(Runnable command) {
        if (thread.isCurrent()) {
            command.run();
            return;
        }
        Command queued = new Command(command, new CompletableFuture<>(), new AtomicBoolean());
        if (!lane.execute(queued)) {
            throw new Refusal(Errno.ENODEV, name + " is gone.");
        }
        await(queued.done, queued.claim);
    }

    private record Command(Runnable command, CompletableFuture<Void> done, AtomicBoolean claim) implements Runnable {
        @Override
        public void run() {
            if (!claim.compareAndSet(false, true)) {
                return;
            }
            try {
                command.run();
                done.complete(null);
            } catch (Throwable failed) {
                // an Error too: another thread waits for this, and may hold a lock
                done.completeExceptionally(failed);
            }
        }
    }

    private void await(CompletableFuture<Void> done, AtomicBoolean claim) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    done.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                    return;
                } catch (InterruptedException later) {
                    interrupted = true;
                } catch (TimeoutException late) {
                    if (claim.compareAndSet(false, true)) {
                        throw new Refusal(Errno.ETIMEDOUT, "The thread of " + name + " has been busy for "
                                + PATIENCE.toSeconds() + " s; a user above the device holds it.", late);
                    }
                    // it has begun and ends in a moment
                }
            }
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failed);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
