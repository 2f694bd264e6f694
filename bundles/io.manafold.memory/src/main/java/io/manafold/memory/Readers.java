package io.manafold.memory;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/**
 * All threads of the process that may hold pointers. Memory that has been taken out of every table is given back once
 * each of them has been outside at least for a moment.
 */
public final class Readers {
    /** A cycle is shorter than a thread takes to begin; with one processor its reader has to be let on. */
    private static final long SOON_NANOS = Runtime.getRuntime().availableProcessors() > 1 ? 20_000 : 0;
    private static final long STEP_NANOS = 50_000;
    private static final long LONG_STEP_NANOS = 5_000_000;
    private static final long PATIENCE_NANOS = 100_000_000;

    private static final CopyOnWriteArrayList<Reader> ALL = new CopyOnWriteArrayList<>();
    private static final List<Wait> WAITING = new ArrayList<>();
    /** Whether a thread looks after those who wait. */
    private static boolean watching;

    private Readers() {
    }

    /** Makes a reader, to be closed when its thread is done. */
    public static Reader open(String name) {
        Reader reader = new Reader(name);
        ALL.add(reader);
        return reader;
    }

    static void forget(Reader reader) {
        ALL.remove(reader);
    }

    /**
     * Completes when every reader that is inside now has left since; at once if none is inside, or none for much
     * longer. Otherwise it completes on a thread of this class, so what depends on it must be short.
     */
    public static CompletionStage<Void> passed() {
        return passed(Readers::thread);
    }

    private static Thread thread(Runnable body) {
        Thread made = new Thread(null, body, "manafold-readers", 0, false);
        made.setDaemon(true);
        made.setContextClassLoader(null);
        return made;
    }

    /** @param threads makes the thread that looks after those who wait */
    static CompletionStage<Void> passed(ThreadFactory threads) {
        // what the caller changed before is seen by every agent that is not found inside here
        VarHandle.fullFence();
        Wait wait = new Wait();
        if (wait.isSoonOver()) {
            return CompletableFuture.completedStage(null);
        }
        synchronized (WAITING) {
            WAITING.add(wait);
            if (!watching) {
                try {
                    threads.newThread(Readers::watch).start();
                    watching = true;
                } finally {
                    if (!watching) {
                        // no thread can be started: the caller has nothing to wait for, and the next one tries again
                        WAITING.remove(wait);
                    }
                }
            }
        }
        return wait.done.minimalCompletionStage();
    }

    /** Runs an action once every reader that is inside now has left; see {@link #passed}. */
    public static void whenPassed(Runnable action) {
        passed().thenRun(action);
    }

    /** The names of readers that are inside right now, for a sentence about who does not leave. */
    public static List<String> inside() {
        return ALL.stream().filter(Reader::inside).map(Reader::name).toList();
    }

    /** Lives while a thread waits. */
    private static void watch() {
        long patientUntil = System.nanoTime() + PATIENCE_NANOS;
        int known = 0;
        while (true) {
            List<Wait> over = new ArrayList<>();
            synchronized (WAITING) {
                if (WAITING.size() != known) {
                    patientUntil = System.nanoTime() + PATIENCE_NANOS;
                }
                WAITING.removeIf(wait -> wait.over() && over.add(wait));
                known = WAITING.size();
            }
            for (Wait wait : over) {
                wait.done.complete(null);
            }
            synchronized (WAITING) {
                if (WAITING.isEmpty()) {
                    watching = false;
                    return;
                }
            }
            // a reader that is stuck must not cost the rest of the machine anything
            LockSupport.parkNanos(System.nanoTime() - patientUntil < 0 ? STEP_NANOS : LONG_STEP_NANOS);
        }
    }

    private static final class Wait {
        final CompletableFuture<Void> done = new CompletableFuture<>();
        private final List<Reader> readers = new ArrayList<>();
        private final List<Long> cycles = new ArrayList<>();

        Wait() {
            for (Reader reader : ALL) {
                long cycle = reader.current();
                if ((cycle & 1) != 0) {
                    readers.add(reader);
                    cycles.add(cycle);
                }
            }
        }

        boolean isSoonOver() {
            long begin = System.nanoTime();
            while (!over()) {
                if (System.nanoTime() - begin >= SOON_NANOS) {
                    return false;
                }
                Thread.onSpinWait();
            }
            return true;
        }

        boolean over() {
            for (int i = readers.size() - 1; i >= 0; i--) {
                if (readers.get(i).current() == cycles.get(i)) {
                    return false;
                }
                readers.remove(i);
                cycles.remove(i);
            }
            return true;
        }
    }
}
