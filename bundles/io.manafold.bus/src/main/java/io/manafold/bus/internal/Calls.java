package io.manafold.bus.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls into drivers, each on a thread of its own and under a time limit. A fresh thread per call costs some tens of
 * microseconds and buys that nothing a driver leaves on a thread (locals, interrupts, loaders) outlives the call.
 */
final class Calls {
    /** What an interrupted call may still take to end in good order. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private static final Logger LOG = LoggerFactory.getLogger(Calls.class);

    private final Loop loop;
    private final List<Runnable> whenIdle = new ArrayList<>();
    private int underWay;

    Calls(Loop loop) {
        this.loop = loop;
    }

    /** How a call ended. */
    sealed interface Outcome<T> {
        record Returned<T>(T value) implements Outcome<T> {
        }

        /** @param cause as {@link CallException#plain} tells it: nothing of it is code of another bundle */
        record Threw<T>(Throwable cause) implements Outcome<T> {
        }

        /** It has not ended, and the loop does not wait for it any longer. */
        record Overdue<T>(String thread) implements Outcome<T> {
        }
    }

    /** A thread on which a driver's code runs, and the services it is about. */
    static final class CallThread extends Thread {
        private final List<ServiceReference<?>> about;

        CallThread(List<ServiceReference<?>> about, String name, Runnable task) {
            super(null, task, name, 0, false);
            this.about = about;
            setDaemon(true);
            setContextClassLoader(null);
        }
    }

    /** Whether the current thread is inside a call about this service, so that waiting for its end would never end. */
    static boolean inside(ServiceReference<?> service) {
        return Thread.currentThread() instanceof CallThread call && call.about.contains(service);
    }

    static boolean insideAny() {
        return Thread.currentThread() instanceof CallThread;
    }

    /**
     * Starts a call. On the loop only.
     *
     * @param late gets the result of a call that returned after it was given up, on the call's thread
     * @param then gets the outcome, on the loop
     */
    <T> void start(List<ServiceReference<?>> about, String name, Duration limit, Callable<T> code, Consumer<T> late,
            Consumer<Outcome<T>> then) {
        new Call<>(about, name, limit, code, late, then).start();
    }

    /** Runs the task on the loop as soon as no call is under way. On the loop only. */
    void whenIdle(Runnable task) {
        if (underWay == 0) {
            task.run();
        } else {
            whenIdle.add(task);
        }
    }

    private void tellIdle() {
        if (underWay == 0 && !whenIdle.isEmpty()) {
            List<Runnable> waiting = List.copyOf(whenIdle);
            whenIdle.clear();
            waiting.forEach(this::whenIdle);
        }
    }

    private final class Call<T> {
        private final CallThread thread;
        private final Duration limit;
        private final Callable<T> code;
        private final Consumer<T> late;
        private final Consumer<Outcome<T>> then;
        private Future<?> alarm;
        private boolean over;

        Call(List<ServiceReference<?>> about, String name, Duration limit, Callable<T> code, Consumer<T> late,
                Consumer<Outcome<T>> then) {
            this.thread = new CallThread(about, name, this::run);
            this.limit = limit;
            this.code = code;
            this.late = late;
            this.then = then;
        }

        void start() {
            underWay++;
            alarm = loop.after(limit, this::interrupt);
            try {
                thread.start();
            } catch (OutOfMemoryError noThread) {
                loop.execute(() -> end(new Outcome.Threw<>(noThread)));
            }
        }

        private void run() {
            Outcome<T> outcome;
            try {
                outcome = new Outcome.Returned<>(code.call());
            } catch (Throwable thrown) {
                // anything a driver throws, linkage errors included, is its answer and not our end
                outcome = new Outcome.Threw<>(CallException.plain(thrown));
            }
            Outcome<T> ended = outcome;
            loop.tell(() -> end(ended));
        }

        private void interrupt() {
            if (!over) {
                thread.interrupt();
                alarm = loop.after(GRACE, () -> end(new Outcome.Overdue<>(thread.getName())));
            }
        }

        private void end(Outcome<T> outcome) {
            if (over) {
                cleanUpAfter(outcome);
                return;
            }
            over = true;
            alarm.cancel(false);
            underWay--;
            try {
                then.accept(outcome);
            } finally {
                tellIdle();
            }
        }

        private void cleanUpAfter(Outcome<T> outcome) {
            LOG.info("{} has ended after all", thread.getName());
            if (outcome instanceof Outcome.Returned<T>(T value) && value != null) {
                new CallThread(thread.about, thread.getName() + " (late)", () -> {
                    try {
                        late.accept(value);
                    } catch (RuntimeException | Error thrown) {
                        LOG.warn("{} could not be undone", thread.getName(), thrown);
                    }
                }).start();
            }
        }
    }
}
