package io.manafold.vfio.internal;

import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.vfio.BorrowStatus;
import io.manafold.vfio.internal.borrow.BorrowedFunction;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a function on the bus whenever its lender lends it: tries until it is lent, takes it off the bus when it has
 * gone, and tries again. All on one thread of its own.
 */
final class Borrower implements Borrowing, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Borrower.class);
    private static final Duration LEAVING = Duration.ofSeconds(20);

    /** Puts a function on the bus. */
    interface Bus {
        /** Returns when it is there; what is answered takes it off again, and returns when its driver has left. */
        Runnable plug(PciFunction function);
    }

    private final String name;
    private final PciAddress address;
    private final Path socket;
    private final Bus bus;
    private final Runnable onNews;
    private final Duration patience;
    private final Duration pause;
    private final Thread thread;

    private volatile BorrowedFunction here;
    private volatile String problem;
    private volatile long sessions;
    private boolean ending;
    private long defects;

    /**
     * @param onNews called when the function has come, or it is known why it has not
     * @param patience how long the lender may take for an answer
     * @param pause between two tries
     */
    Borrower(String name, PciAddress address, Path socket, Bus bus, Runnable onNews, Duration patience,
            Duration pause) {
        this.name = name;
        this.address = address;
        this.socket = socket;
        this.bus = bus;
        this.onNews = onNews;
        this.patience = patience;
        this.pause = pause;
        thread = Thread.ofPlatform().daemon().name("manafold-borrow-" + name + "-keeper").unstarted(this::run);
    }

    void begin() {
        thread.start();
    }

    @Override
    public BorrowStatus status() {
        BorrowedFunction now = here;
        String wrong = problem;
        return new BorrowSnapshot(name, socket, address, now != null, now == null ? 0 : now.dma().ranges(),
                now == null ? 0 : now.dma().bytes(), sessions, wrong != null ? List.of(wrong)
                : now == null ? List.of("It is not here yet.") : List.of());
    }

    private void run() {
        try {
            while (!isEnding()) {
                try {
                    have();
                } catch (RuntimeException | Error defect) {
                    if (defects++ == 0) {
                        LOG.error("borrow {}: a defect; it is tried again", name, defect);
                    }
                    missing("It cannot be had because of a defect here, which the log tells.");
                }
                rest();
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void have() throws InterruptedException {
        BorrowedFunction function;
        try {
            function = BorrowedFunction.borrow(name, address, socket, patience, this::wake);
        } catch (Refusal refused) {
            missing(refused.getMessage());
            return;
        }
        try {
            drive(function);
        } finally {
            function.close();
        }
        if (!isEnding()) {
            missing("What was borrowed at " + socket + " is gone: " + function.departure() + ".");
        }
    }

    private void drive(BorrowedFunction function) throws InterruptedException {
        Runnable unplug = bus.plug(function);
        try {
            sessions++;
            problem = null;
            here = function;
            LOG.info("borrow {}: {} at {} is here, lent at {}", name, function.identity(), address, socket);
            onNews.run();
            awaitEnd(function);
        } finally {
            here = null;
            unplug.run();
        }
    }

    private void missing(String sentence) {
        if (!sentence.equals(problem)) {
            LOG.warn("borrow {}: {}", name, sentence);
        }
        problem = sentence;
        onNews.run();
    }

    private synchronized boolean isEnding() {
        return ending;
    }

    private synchronized void wake() {
        notifyAll();
    }

    private synchronized void awaitEnd(BorrowedFunction function) throws InterruptedException {
        while (!ending && function.departure() == null) {
            wait();
        }
    }

    private synchronized void rest() throws InterruptedException {
        long end = System.nanoTime() + pause.toNanos();
        for (long left = pause.toMillis(); !ending && left > 0; left = (end - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
    }

    /** Gives the function back; returns when its driver has left it. */
    @Override
    public void close() {
        synchronized (this) {
            ending = true;
            notifyAll();
        }
        try {
            if (!thread.join(LEAVING)) {
                LOG.warn("borrow {}: the function could not be given back in time", name);
                thread.interrupt();
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
