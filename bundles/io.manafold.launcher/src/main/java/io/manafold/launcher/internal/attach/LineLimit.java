package io.manafold.launcher.internal.attach;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * What a client types at a prompt. While a question is open it may be answered with so many bytes; then the input ends,
 * since an editor of lines keeps all of a line in memory and draws it again with each key.
 */
final class LineLimit extends FilterInputStream {
    static final int LONGEST = 1 << 14;

    private boolean open;
    private boolean exceeded;
    private long count;

    LineLimit(InputStream in) {
        super(in);
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
        int taken = in.read(bytes, offset, length);
        return taken < 0 || counted(taken) ? taken : -1;
    }

    private synchronized boolean counted(int taken) {
        count += taken;
        exceeded |= open && count > LONGEST;
        return !exceeded;
    }
}
