package io.manafold.launcher.internal;

import io.manafold.shell.Candidate;
import io.manafold.shell.Session;
import io.manafold.shell.Shell;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntSupplier;

/**
 * A session with a platform that is still coming up: it can be asked for from the start, and its first line waits,
 * unless the shell can carry it out by itself. A user who is tired of waiting interrupts it, as a command.
 */
final class DeferredSession implements Session {
    /** How long a line waits before it says so. */
    private static final Duration SILENCE = Duration.ofSeconds(2);
    private static final List<Candidate> NONE = List.of();

    private final CompletableFuture<Shell> shell;
    private final CompletableFuture<Shell> ready;
    private final InputStream in;
    private final PrintStream out;
    private final PrintStream err;
    private final IntSupplier columns;
    /** With the shell alone, until there is all else. */
    private Session early;
    private Session session;

    /**
     * @param shell the platform's shell as soon as there is one
     * @param ready the same when all else is there, too, or {@code null} in it
     */
    DeferredSession(CompletableFuture<Shell> shell, CompletableFuture<Shell> ready, InputStream in, PrintStream out,
            PrintStream err, IntSupplier columns) {
        this.shell = shell;
        this.ready = ready;
        this.in = in;
        this.out = out;
        this.err = err;
        this.columns = columns;
    }

    @Override
    public int execute(String line) {
        long begin = System.nanoTime();
        try {
            if (isAtOnce(line)) {
                return early.execute(line);
            }
            if (!isOpen(SILENCE.minusNanos(System.nanoTime() - begin))) {
                err.println("The platform is still coming up; Ctrl-C takes the line back.");
                open(ready.get());
            }
        } catch (InterruptedException e) {
            err.println("The line was taken back; nothing of it has been done.");
            return FAILED;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
        return session == null ? FAILED : session.execute(line);
    }

    @Override
    public boolean isBuiltIn(String line) {
        return session != null && session.isBuiltIn(line);
    }

    @Override
    public boolean ended() {
        return session != null && session.ended();
    }

    @Override
    public List<Candidate> complete(String line, int cursor) {
        try {
            return isOpen(SILENCE) && session != null ? session.complete(line, cursor) : NONE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return NONE;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Whether it can be carried out, and only by the shell, though the platform is not there. */
    private boolean isAtOnce(String line) throws InterruptedException, ExecutionException {
        if (session != null) {
            return false;
        }
        try {
            CompletableFuture.anyOf(shell, ready).get(SILENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return false;
        }
        if (ready.isDone()) {
            return false;
        }
        if (early == null) {
            early = shell.join().open(in, out, err, columns);
        }
        return early.isBuiltIn(line);
    }

    private boolean isOpen(Duration limit) throws InterruptedException, ExecutionException {
        if (session == null) {
            try {
                open(ready.get(limit.toNanos(), TimeUnit.NANOSECONDS));
            } catch (TimeoutException e) {
                return false;
            }
        }
        return true;
    }

    /** @param shell {@code null} if the platform has none, of which others tell */
    private void open(Shell shell) {
        if (shell == null) {
            return;
        }
        session = early != null ? early : shell.open(in, out, err, columns);
    }

    @Override
    public void close() {
        Session open = session != null ? session : early;
        if (open != null) {
            open.close();
        }
    }
}
