package io.manafold.launcher.internal.attach;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/**
 * What a client types at a prompt. While a question is open it may be answered with so many bytes; then the input ends,
 * since an editor of lines keeps all of a line in memory and draws it again with each key. The terminal is given no
 * more than it has room for: the thread that gives is the one that recognises Ctrl-C, and must not be held.
 */
final class LineLimit extends FilterInputStream {
    static final int LONGEST = 1 << 14;
    /** JLine's terminal has room for 1024 bytes that were not read yet. */
    private static final int ROOM = 1000;
    static final byte INTERRUPT = 3;
    private static final long GLANCE_MILLIS = 5;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final RemoteInput remote;
    private volatile InputStream terminal = InputStream.nullInputStream();
    private boolean open;
    private boolean exceeded;
    private long count;

    LineLimit(RemoteInput in) {
        super(in);
        remote = in;
    }

    /** What was typed goes to this terminal input. */
    void goesTo(InputStream input) {
        terminal = input;
    }

    /** A question is asked. */
    synchronized void begin() {
        open = true;
        count = 0;
    }

    /** It has been answered: what comes now is for a command, which takes only what it wants. */
    synchronized void end() {
        open = false;
    }

    synchronized boolean exceeded() {
        return exceeded;
    }

    @Override
    public int read() throws IOException {
        int value = in.read();
        return value < 0 ? value : counted(1) ? value : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        int room = awaitRoom();
        if (room == 0) {
            bytes[offset] = INTERRUPT;
            return 1;
        }
        int taken = in.read(bytes, offset, Math.min(length, room));
        return taken < 0 || counted(taken) ? taken : -1;
    }

    /** How much the terminal has room for; 0 if it has none, and Ctrl-C was typed behind what waits for it. */
    private int awaitRoom() throws IOException {
        long full = System.nanoTime();
        while (true) {
            int room = ROOM - terminal.available();
            if (room > 0) {
                return room;
            }
            if (!isOpen()) {
                if (remote.takeOut(INTERRUPT)) {
                    return 0;
                }
                if (System.nanoTime() - full > PATIENCE_NANOS) {
                    remote.dropWhatFillsIt();
                }
            }
            pause();
        }
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(GLANCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the terminal had no room");
        }
    }

    private synchronized boolean isOpen() {
        return open;
    }

    private synchronized boolean counted(int taken) {
        count += taken;
        exceeded |= open && count > LONGEST;
        return !exceeded;
    }
}
