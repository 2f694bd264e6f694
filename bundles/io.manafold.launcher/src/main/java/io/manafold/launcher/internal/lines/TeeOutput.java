package io.manafold.launcher.internal.lines;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Passes on what is written and remembers the last of it, so that a report can say what a line said. */
public final class TeeOutput extends OutputStream {
    private static final int MOST = 8192;

    private final PrintStream to;
    private final byte[] last = new byte[MOST];
    private long written;

    public TeeOutput(PrintStream to) {
        this.to = to;
    }

    @Override
    public synchronized void write(int octet) {
        to.write(octet);
        last[(int) (written++ % MOST)] = (byte) octet;
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int count) {
        to.write(bytes, from, count);
        for (int i = Math.max(0, count - MOST); i < count; i++) {
            last[(int) ((written + i) % MOST)] = bytes[from + i];
        }
        written += count;
    }

    @Override
    public void flush() {
        to.flush();
    }

    /** What has been written since the last call, its end if it was much. */
    public synchronized String heard() {
        int count = (int) Math.min(written, MOST);
        byte[] all = new byte[count];
        for (int i = 0; i < count; i++) {
            all[i] = last[(int) ((written - count + i) % MOST)];
        }
        written = 0;
        return new String(all, StandardCharsets.UTF_8);
    }
}
