package io.manafold.bus.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The numbers of events, which never go back, over a restart neither. A file says how far they may have come: far ahead
 * while the platform is up, so that it is written once in a long while, and the last one after an orderly end.
 */
final class EventNumbers {
    static final long AHEAD = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(EventNumbers.class);

    private final AtomicFile file;
    /** Held by the thread that writes, so that events do not wait for the disk. */
    private final Object writing = new Object();
    private boolean ended;
    private long last;
    private long promised;

    EventNumbers(Path folder) {
        file = new AtomicFile(folder.resolve("events"), Disk.REAL);
        last = read();
        promised = last;
    }

    private long read() {
        try {
            List<String> lines = file.lines();
            return lines.isEmpty() ? 0 : parse(lines.getFirst());
        } catch (IOException unreadable) {
            LOG.warn("{}; events are counted from 1 again", file.putAside(unreadable));
            return 0;
        }
    }

    private static long parse(String text) throws IOException {
        if (!text.matches("[0-9]{1,18}")) {
            throw new IOException("it is not a number");
        }
        return Long.parseLong(text);
    }

    /** The number of one more event. With the lock of the events held. */
    synchronized long next() {
        return ++last;
    }

    /** Whether the file is to be written soon, with {@link #promise}. */
    synchronized boolean nearsPromise() {
        return promised - last < AHEAD / 2;
    }

    /** Writes how far the numbers may come from now on; nothing once the last one was written. */
    void promise() {
        synchronized (writing) {
            long ahead;
            synchronized (this) {
                if (ended || promised - last >= AHEAD / 2) {
                    return;
                }
                ahead = last + AHEAD;
                promised = ahead;
            }
            write(ahead);
        }
    }

    /** Writes the last number that was given. */
    void end() {
        synchronized (writing) {
            long exact;
            synchronized (this) {
                ended = true;
                exact = last;
            }
            write(exact);
        }
    }

    private void write(long number) {
        try {
            file.replace(number + "\n");
        } catch (IOException unwritten) {
            LOG.info("{} cannot be written ({}): after a restart events are counted from where it stands", file.path(),
                    Reasons.of(unwritten));
        }
    }
}
