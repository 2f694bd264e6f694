package io.manafold.agent;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * What a thread does about a mistake in one of its rounds when it has to go on: it logs the first of each kind and
 * pauses, or it would do nothing else. Used by one thread.
 */
public final class Mistakes {
    private static final long PAUSE_NANOS = 100_000_000;
    private static final int MOST_KINDS = 32;

    private final Set<Class<?>> logged = new HashSet<>();
    private final Consumer<Throwable> log;

    /** @param log writes one, and says that further ones of its kind are not written */
    public Mistakes(Consumer<Throwable> log) {
        this.log = log;
    }

    /** Logs it unless one of its kind has been, and pauses; throws nothing. */
    public void happened(Throwable mistake) {
        log(mistake);
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    /** Logs it unless one of its kind has been; for a caller that pauses in a way of its own. */
    public void log(Throwable mistake) {
        try {
            if (logged.size() < MOST_KINDS && logged.add(mistake.getClass())) {
                log.accept(mistake);
            }
        } catch (Throwable again) {
            // without memory not even this works, nor would noting that; the thread must outlive it
        }
    }
}
