package io.manafold.launcher.internal.lines;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.ThreadFactory;

/**
 * The input of a file or a pipe, for commands that are interrupted while they wait for it: the system's own call ends
 * with nothing but bytes. A thread waits there in their place, and only while a command wants more than has come. What
 * comes for a command that was interrupted is the next one's.
 */
public final class InterruptibleInput extends InputStream {
    private static final int ROOM = 8192;

    private final InputStream from;
    private final ThreadFactory threads;
    /** Tells of an accident that cannot even be told, as where there is no memory. */
    private final IOException untold = new IOException("the input failed, and why cannot be told");
    private final byte[] bytes = new byte[ROOM];
    private int next;
    private int end;
    private boolean begun;
    /** More is wanted, and the thread is about to get it. */
    private boolean wanted;
    /** How it got nothing, until a command is told. */
    private boolean over;
    private IOException failure;

    public InterruptibleInput(InputStream from) {
        this(from, Thread.ofPlatform().daemon().name("input").factory());
    }

    /** @param threads makes the thread that waits, and another one if that has ended */
    InterruptibleInput(InputStream from, ThreadFactory threads) {
        this.from = from;
        this.threads = threads;
    }

    @Override
    public synchronized int read() throws IOException {
        return has() ? bytes[next++] & 0xff : -1;
    }

    @Override
    public synchronized int read(byte[] into, int offset, int most) throws IOException {
        Objects.checkFromIndexSize(offset, most, into.length);
        if (most == 0) {
            return 0;
        }
        if (!has()) {
            return -1;
        }
        int taken = Math.min(most, end - next);
        System.arraycopy(bytes, next, into, offset, taken);
        next += taken;
        return taken;
    }

    @Override
    public synchronized int available() throws IOException {
        return end - next + (wanted ? 0 : from.available());
    }

    /** Waits for bytes, for the end, or for a failure; a terminal may go on behind an end. */
    private boolean has() throws IOException {
        while (next == end && !over && failure == null) {
            want();
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while waiting for input");
            }
        }
        IOException failed = failure;
        failure = null;
        if (failed != null) {
            throw failed;
        }
        boolean ended = over;
        over = false;
        return !ended;
    }

    /** Wakes no other reader where the thread knows already: each would wake the others again and again. */
    private void want() throws IOException {
        if (wanted) {
            return;
        }
        if (!begun) {
            begin();
            begun = true;
        }
        wanted = true;
        notifyAll();
    }

    private void begin() throws IOException {
        try {
            threads.newThread(this::fill).start();
        } catch (OutOfMemoryError noMoreThreads) {
            throw new IOException("the input cannot be read: no thread can be started that waits for it. There are as "
                    + "many as the user, the control group or the memory allow: see 'ulimit -u' and pids.max",
                    noMoreThreads);
        }
    }

    private void fill() {
        try {
            while (true) {
                awaitWanted();
                int count = 0;
                IOException failed = null;
                try {
                    count = from.read(bytes);
                } catch (IOException e) {
                    failed = e;
                } catch (RuntimeException | Error e) {
                    failed = accident(e);
                }
                got(count, failed);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ended();
        }
    }

    private IOException accident(Throwable happened) {
        try {
            return new IOException("the input failed: " + happened, happened);
        } catch (RuntimeException | Error again) {
            return untold;
        }
    }

    /** Those who wait now have another thread, or would wait for ever. */
    private synchronized void ended() {
        begun = false;
        wanted = false;
        notifyAll();
    }

    private synchronized void awaitWanted() throws InterruptedException {
        while (!wanted) {
            wait();
        }
    }

    private synchronized void got(int count, IOException failed) {
        next = 0;
        end = Math.max(0, count);
        over = count < 0;
        failure = failed;
        wanted = false;
        notifyAll();
    }
}
