package io.manafold.launcher.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The one moment at which the process is to end, and with which status. */
final class Ending {
    private final CompletableFuture<Integer> status = new CompletableFuture<>();

    /** Asks for the end; the thread that asks first has the say. */
    void ask(int wanted) {
        status.complete(wanted);
    }

    boolean asked() {
        return status.isDone();
    }

    /** Waits until the end is asked for. */
    int await() throws InterruptedException {
        try {
            return status.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
