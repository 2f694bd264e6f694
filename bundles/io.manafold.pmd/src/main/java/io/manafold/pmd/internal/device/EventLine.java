package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.EthDevListener;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a listener of events, one after the other, on a thread of its own. Those that it is too slow for are not told.
 */
final class EventLine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventLine.class);
    private static final int MOST = 1024;
    /** Behind which nothing is told. */
    private static final EthDevEvent LAST = new EthDevEvent(EthDevEvent.Kind.INTR_RMV, -1, "");

    private final EthDevListener listener;
    private final BlockingQueue<EthDevEvent> waiting = new LinkedBlockingQueue<>(MOST);
    private final Thread thread;
    private final Runnable closing;

    EventLine(String name, EthDevListener listener, Runnable closing) {
        this.listener = listener;
        this.closing = closing;
        thread = Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    void tell(EthDevEvent event) {
        if (!waiting.offer(event)) {
            LOG.warn("A listener is too slow, and is not told: {}", event.text());
        }
    }

    private void run() {
        try {
            for (EthDevEvent event = waiting.take(); event != LAST; event = waiting.take()) {
                tellOne(event);
            }
        } catch (InterruptedException _) {
            // it is closed
        }
    }

    private void tellOne(EthDevEvent event) {
        try {
            listener.happened(event);
        } catch (RuntimeException wrong) {
            LOG.warn("A listener has failed at '{}'", event.text(), wrong);
        }
    }

    /** Ends it when all that was told has been heard, or when the limit is over. */
    void finish(Duration limit) {
        try {
            if (waiting.offer(LAST) && thread != Thread.currentThread()) {
                thread.join(limit);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }

    @Override
    public void close() {
        closing.run();
        thread.interrupt();
    }
}
