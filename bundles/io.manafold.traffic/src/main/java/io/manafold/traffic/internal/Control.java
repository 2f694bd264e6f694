package io.manafold.traffic.internal;

import io.manafold.agent.Mistakes;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that runs what it is given, in order, and looks at things every few milliseconds while told so. */
final class Control {
    private static final Logger LOG = LoggerFactory.getLogger(Control.class);
    private static final long LOOK_MILLIS = 20;
    private static final long PATIENCE_SECONDS = 30;

    private final Thread thread;
    private final Runnable look;
    private final ArrayDeque<Runnable> commands = new ArrayDeque<>();
    private boolean often;
    private boolean soon;
    private boolean closed;

    Control(String name, Runnable look) {
        this.look = look;
        thread = new Thread(null, this::work, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        thread.start();
    }

    synchronized void lookOften(boolean whether) {
        often = whether;
    }

    synchronized void lookSoon() {
        soon = true;
        notifyAll();
    }

    /** False if it is closed. */
    synchronized boolean execute(Runnable command) {
        if (closed) {
            return false;
        }
        commands.add(command);
        notifyAll();
        return true;
    }

    /** Has something done and waits for it; nothing once it is closed. */
    void run(Runnable command) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (execute(() -> {
            command.run();
            done.complete(null);
        })) {
            await(done);
        }
    }

    <T> T call(Supplier<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (!execute(() -> {
            try {
                answer.complete(question.get());
            } catch (RuntimeException | Error refused) {
                answer.completeExceptionally(refused);
            }
        })) {
            throw new Refusal(Errno.ENODEV, "The generator of traffic has been stopped.");
        }
        return await(answer);
    }

    private static <T> T await(CompletableFuture<T> answer) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(failed);
        } catch (TimeoutException late) {
            throw new Refusal(Errno.ETIMEDOUT, "The generator of traffic has been busy for " + PATIENCE_SECONDS
                    + " s: a device does not answer.", late);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends it after a last command, and waits for that. */
    void close(Runnable last) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        synchronized (this) {
            if (closed) {
                return;
            }
            commands.add(() -> {
                try {
                    last.run();
                } finally {
                    done.complete(null);
                }
            });
            closed = true;
            notifyAll();
        }
        await(done);
        try {
            thread.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() {
        Mistakes mistakes = new Mistakes(mistake -> LOG.error("Something went wrong with traffic; further failures of "
                + "this kind are not logged", mistake));
        while (true) {
            Runnable command = next();
            if (command == null) {
                return;
            }
            try {
                command.run();
            } catch (RuntimeException | Error mistake) {
                mistakes.happened(mistake);
            }
        }
    }

    /** What to do next, {@code null} at the end. */
    private synchronized Runnable next() {
        long lookAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
        while (true) {
            if (!commands.isEmpty()) {
                return commands.remove();
            }
            if (closed) {
                return null;
            }
            long left = lookAt - System.nanoTime();
            if (soon || often && left <= 0) {
                soon = false;
                return look;
            }
            try {
                wait(often ? left / 1_000_000 + 1 : 0);
            } catch (InterruptedException ignored) {
                // no thread has a reason to
            }
        }
    }
}
