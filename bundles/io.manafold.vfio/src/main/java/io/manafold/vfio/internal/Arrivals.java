package io.manafold.vfio.internal;

import io.manafold.linux.EventFd;
import io.manafold.linux.Poll;
import io.manafold.linux.SystemCallException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits at the sockets of all exports, on one thread that is there while there are any. */
final class Arrivals {
    static final Arrivals ALL = new Arrivals(Thread.ofPlatform().daemon().name("manafold-vfio-arrivals").factory());

    private static final Logger LOG = LoggerFactory.getLogger(Arrivals.class);
    private static final long AFTER_FAILURE = 100;

    private final ThreadFactory threads;
    /** Which export is told of the next client at which socket. */
    private final Map<ListenSocket, Runnable> awaited = new LinkedHashMap<>();
    private int listeners;
    private EventFd wake;

    /** @param threads makes the one that waits */
    Arrivals(ThreadFactory threads) {
        this.threads = threads;
    }

    /**
     * A socket has been opened; {@link #leave} follows.
     *
     * @throws IOException no thread can wait there; nothing has changed then
     */
    synchronized void enter() throws IOException {
        if (listeners == 0) {
            EventFd made = EventFd.create();
            wake = made;
            try {
                threads.newThread(() -> run(made)).start();
            } catch (OutOfMemoryError noMoreThreads) {
                wake = null;
                made.close();
                throw new IOException("no thread can be started that waits for clients: there are as many as the "
                        + "user, the control group or the memory allow, see 'ulimit -u' and pids.max", noMoreThreads);
            }
        }
        listeners++;
    }

    /** Tells once when a client is there to be accepted; must not wait. */
    synchronized void await(ListenSocket listener, Runnable arrived) {
        awaited.put(listener, arrived);
        wake.signal();
    }

    /** Waits there no longer, and never will. The socket may be closed then. */
    synchronized void leave(ListenSocket listener) {
        awaited.remove(listener);
        wake.signal();
        if (--listeners == 0) {
            wake = null;
        }
    }

    private synchronized boolean isOver(EventFd mine) {
        return wake != mine;
    }

    private void run(EventFd mine) {
        boolean logged = false;
        while (!isOver(mine)) {
            try {
                look(mine);
            } catch (SystemCallException | RuntimeException | Error failed) {
                if (!logged) {
                    logged = true;
                    LOG.error("clients of exports could not be waited for; it goes on", failed);
                }
                pause();
            }
        }
        mine.close();
    }

    private void look(EventFd mine) throws SystemCallException {
        mine.take();
        List<ListenSocket> open;
        synchronized (this) {
            if (wake != mine) {
                // the signal that has just been taken said so
                return;
            }
            open = new ArrayList<>(awaited.keySet());
        }
        Poll poll = new Poll(open.size() + 1);
        poll.add(mine.descriptor(), Poll.READABLE);
        open.forEach(listener -> poll.add(listener.descriptor(), Poll.READABLE));
        poll.await(-1);
        for (int i = 0; i < open.size(); i++) {
            if (poll.ready(i + 1) != 0) {
                tell(open.get(i));
            }
        }
    }

    private void tell(ListenSocket listener) {
        Runnable arrived;
        synchronized (this) {
            arrived = awaited.remove(listener);
        }
        if (arrived != null) {
            arrived.run();
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(AFTER_FAILURE);
        } catch (InterruptedException ignored) {
            // no thread interrupts this one
        }
    }
}
