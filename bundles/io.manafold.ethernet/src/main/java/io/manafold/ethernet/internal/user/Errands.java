package io.manafold.ethernet.internal.user;

import io.manafold.agent.Agent;
import io.manafold.agent.Lane;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Has things done on a device's thread and waits for them; what is given up is not done later. */
final class Errands {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String name;
    private final Agent agent;
    private final Lane lane = new Lane();

    Errands(String name, Agent agent) {
        this.name = name;
        this.agent = agent;
    }

    void run(Runnable command) {
        if (agent.isCurrent()) {
            command.run();
            return;
        }
        Errand errand = new Errand(command, new CompletableFuture<>(), new AtomicBoolean());
        if (!agent.execute(lane, errand)) {
            throw new Refusal(Errno.ENODEV, name + " is gone.");
        }
        await(errand.done, errand.claim);
    }

    private record Errand(Runnable command, CompletableFuture<Void> done, AtomicBoolean claim) implements Runnable {
        @Override
        public void run() {
            if (!claim.compareAndSet(false, true)) {
                return;
            }
            try {
                command.run();
                done.complete(null);
            } catch (RuntimeException failed) {
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
                                + PATIENCE.toSeconds() + " s; somebody above it holds it.", late);
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
