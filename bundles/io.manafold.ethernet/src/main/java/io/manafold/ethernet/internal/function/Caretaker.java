package io.manafold.ethernet.internal.function;

import io.manafold.agent.Mistakes;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of a function for what takes long and what is due from time to time; never for packets. */
final class Caretaker implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Caretaker.class);
    private static final int MOST_ERRANDS = 64;
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final Duration END = Duration.ofSeconds(2);

    private final BlockingQueue<Runnable> errands = new ArrayBlockingQueue<>(MOST_ERRANDS);
    private final Duration tick;
    private final Runnable round;
    private final Thread thread;
    private volatile boolean ended;

    /** @param round what is due with each tick */
    Caretaker(String name, Duration tick, Runnable round) {
        this.tick = tick;
        this.round = round;
        thread = new Thread(null, this, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
    }

    void start() {
        thread.start();
    }

    /** Has something done soon; never blocks. False if there is too much to do already, or the end has come. */
    boolean send(Runnable errand) {
        return !ended && errands.offer(errand);
    }

    boolean hasEnded() {
        return ended;
    }

    @Override
    public void run() {
        Mistakes mistakes = new Mistakes(mistake -> LOG.error("{}: an errand failed; further failures of this kind are not logged",
                thread.getName(), mistake));
        long due = System.nanoTime() + tick.toNanos();
        while (!ended) {
            Runnable next = next(due - System.nanoTime());
            if (next == null) {
                due = System.nanoTime() + tick.toNanos();
                next = round;
            }
            try {
                if (!ended) {
                    next.run();
                }
            } catch (RuntimeException | Error mistake) {
                if (!ended) {
                    mistakes.happened(mistake);
                }
            }
        }
    }

    private Runnable next(long nanos) {
        try {
            return nanos <= 0 ? null : errands.poll(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException ending) {
            return () -> { };
        }
    }

    /**
     * Ends it: nothing is begun any more when this returns. What it is at it may complete, as queues made half way would
     * be left to the function; only what takes too long is given up.
     */
    void end() {
        ended = true;
        if (thread.getState() == Thread.State.NEW) {
            return;
        }
        // whatever it is, it is not begun any more
        errands.offer(round);
        try {
            if (thread.join(GRACE)) {
                return;
            }
            thread.interrupt();
            if (!thread.join(END)) {
                LOG.error("{} did not end within {} s", thread.getName(), END.toSeconds());
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
