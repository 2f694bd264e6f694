package io.manafold.hostile;

import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Errors on threads of the product: in its log, or as the end of a thread. */
final class LoggedErrors extends Handler {
    private static final LoggedErrors ALL = new LoggedErrors();

    private final AtomicReference<AssertionError> first = new AtomicReference<>();

    private LoggedErrors() {
    }

    static void watch() {
        LogManager.getLogManager().reset();
        Logger.getLogger("").addHandler(ALL);
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) ->
                ALL.keep(thread.getName() + " has ended", thrown));
    }

    /** Throws the first one since the last call. */
    static void none() {
        AssertionError error = ALL.first.getAndSet(null);
        if (error != null) {
            throw error;
        }
    }

    private void keep(String what, Throwable thrown) {
        first.compareAndSet(null, new AssertionError(what, thrown));
    }

    @Override
    public void publish(LogRecord entry) {
        if (entry.getLevel().intValue() >= Level.SEVERE.intValue()) {
            keep(entry.getMessage(), entry.getThrown());
        }
    }

    @Override
    public void flush() {
        // nothing is written
    }

    @Override
    public void close() {
        // nothing is open
    }
}
