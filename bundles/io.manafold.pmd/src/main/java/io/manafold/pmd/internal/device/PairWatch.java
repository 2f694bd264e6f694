package io.manafold.pmd.internal.device;

import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has ports over pairs look at their virtual functions when something has happened, and from time to time. */
final class PairWatch implements Runnable, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PairWatch.class);
    private static final long EVERY_MILLIS = 100;

    private final Supplier<List<PairedDevice>> ports;
    private final Semaphore news = new Semaphore(0);
    private final Thread thread;

    PairWatch(String environment, Supplier<List<PairedDevice>> ports) {
        this.ports = ports;
        thread = Thread.ofPlatform().daemon().name("pmd-pairs-" + environment).unstarted(this);
    }

    /** Begins with the first port. */
    synchronized void begin() {
        if (thread.getState() == Thread.State.NEW) {
            thread.start();
        }
    }

    /** Something has happened. */
    void wake() {
        news.release();
    }

    @Override
    public void run() {
        try {
            while (true) {
                news.tryAcquire(EVERY_MILLIS, TimeUnit.MILLISECONDS);
                news.drainPermits();
                ports.get().forEach(this::look);
            }
        } catch (InterruptedException _) {
            // the environment has ended
        }
    }

    private void look(PairedDevice port) {
        try {
            port.life().look();
        } catch (RuntimeException | Error wrong) {
            LOG.warn("{} does not see to its virtual function", port.name(), wrong);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
