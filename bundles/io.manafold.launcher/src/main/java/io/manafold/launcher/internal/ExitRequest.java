package io.manafold.launcher.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The one request that the process ends, and with which status. */
final class ExitRequest {
    private final CompletableFuture<Integer> status = new CompletableFuture<>();

    /** Asks for the end; the status of the thread that asks first counts. */
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
