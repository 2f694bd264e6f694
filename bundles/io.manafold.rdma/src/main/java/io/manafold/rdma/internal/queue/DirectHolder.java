package io.manafold.rdma.internal.queue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The user who has a queue directly: is asked once to leave it, and given a while to do so. */
final class DirectHolder {
    private static final Logger LOG = LoggerFactory.getLogger(DirectHolder.class);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

    private final Runnable withdrawn;
    private Thread asking;
    private long giveUp;
    private volatile boolean left;

    /** @param withdrawn returns when the user has left */
    DirectHolder(Runnable withdrawn) {
        this.withdrawn = withdrawn;
    }

    /** Has left without being asked; counts for nothing once it was asked. */
    synchronized void leave() {
        left |= asking == null;
    }

    /** Asks to leave, on a thread of its own, as the user may block or throw. */
    synchronized void ask(String queue) {
        if (left || asking != null) {
            return;
        }
        giveUp = System.nanoTime() + PATIENCE;
        asking = Thread.ofPlatform().daemon().name("manafold-rdma-withdraw").start(() -> {
            try {
                withdrawn.run();
                left = true;
            } catch (RuntimeException | Error wrong) {
                LOG.error("{} is withdrawn, and its user fails at leaving it: {}", queue, wrong.toString());
            }
        });
    }

    /** Whether the user has left; one that was asked has a second for that. */
    boolean hasLeft() {
        Thread thread;
        synchronized (this) {
            thread = asking;
        }
        if (!left && thread != null) {
            try {
                thread.join(Duration.ofNanos(Math.max(0, giveUp - System.nanoTime())));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
        return left;
    }
}
