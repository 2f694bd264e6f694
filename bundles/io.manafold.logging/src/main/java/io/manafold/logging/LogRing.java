package io.manafold.logging;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Remembers the newest lines and hands each to those who follow. Any thread may call. */
public final class LogRing {
    private static final int SHARED_CAPACITY = 4096;
    /** SLF4J makes its provider itself and by itself, so that the ring behind it can only be found by its class. */
    private static final LogRing SHARED = new LogRing(SHARED_CAPACITY);

    private final int capacity;
    private final ArrayDeque<LoggedLine> lines;
    private final List<Consumer<LoggedLine>> followers = new CopyOnWriteArrayList<>();
    private final ThreadLocal<Boolean> handingOut = new ThreadLocal<>();

    public LogRing(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("a ring of " + capacity + " lines remembers nothing");
        }
        this.capacity = capacity;
        this.lines = new ArrayDeque<>(capacity);
    }

    /** The ring behind the loggers of this platform. */
    public static LogRing shared() {
        return SHARED;
    }

    /** Remembers a line, in place of the oldest if there is no room, and calls the followers on this thread. */
    public void append(LoggedLine line) {
        synchronized (lines) {
            if (lines.size() == capacity) {
                lines.removeFirst();
            }
            lines.addLast(line);
        }
        // a follower that logs would otherwise be called for its own line, and again for that one
        if (handingOut.get() != null) {
            return;
        }
        handingOut.set(Boolean.TRUE);
        try {
            for (Consumer<LoggedLine> follower : followers) {
                handTo(follower, line);
            }
        } finally {
            handingOut.remove();
        }
    }

    /** What is remembered, oldest first. */
    public List<LoggedLine> recent() {
        synchronized (lines) {
            return new ArrayList<>(lines);
        }
    }

    /**
     * Hands every further line to a follower, on the thread that logs. A follower that throws is not called again.
     *
     * @return ends it
     */
    public AutoCloseable follow(Consumer<LoggedLine> follower) {
        followers.add(follower);
        return () -> followers.remove(follower);
    }

    private void handTo(Consumer<LoggedLine> follower, LoggedLine line) {
        try {
            follower.accept(line);
        } catch (RuntimeException | LinkageError e) {
            // code that logs must not suffer for a listener, such as one whose bundle has gone
            followers.remove(follower);
        }
    }
}
