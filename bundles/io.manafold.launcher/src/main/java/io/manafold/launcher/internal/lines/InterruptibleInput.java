package io.manafold.launcher.internal.lines;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;

/**
 * The input of a file or a pipe, for commands that are interrupted while they wait for it: the system's own call ends
 * with nothing but bytes. A thread waits there in their place, and only while a command wants more than has come. What
 * comes for a command that was interrupted is the next one's.
 */
public final class InterruptibleInput extends InputStream {
    private static final int ROOM = 8192;

    private final InputStream from;
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
        this.from = from;
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
    private void want() {
        if (wanted) {
            return;
        }
        if (!begun) {
            begun = true;
            Thread.ofPlatform().daemon().name("input").start(this::fill);
        }
        wanted = true;
        notifyAll();
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
                    // without this thread all readers would wait for ever
                    failed = new IOException("the input failed: " + e, e);
                }
                got(count, failed);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
