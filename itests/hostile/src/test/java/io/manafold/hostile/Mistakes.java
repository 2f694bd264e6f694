package io.manafold.hostile;

import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What goes wrong on threads of the product: an error in its log, or a thread that ends with an exception. */
final class Mistakes extends Handler {
    private static final Mistakes ALL = new Mistakes();

    private final AtomicReference<AssertionError> first = new AtomicReference<>();

    private Mistakes() {
    }

    static void watch() {
        LogManager.getLogManager().reset();
        Logger.getLogger("").addHandler(ALL);
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> ALL.keep(thread.getName() + " has ended", thrown));
    }

    /** Throws the first mistake since the last call. */
    static void none() {
        AssertionError mistake = ALL.first.getAndSet(null);
        if (mistake != null) {
            throw mistake;
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
