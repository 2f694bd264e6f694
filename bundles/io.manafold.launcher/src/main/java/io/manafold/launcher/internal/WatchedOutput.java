package io.manafold.launcher.internal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Tells when nothing can be written any more: a print stream keeps that to itself. */
public final class WatchedOutput extends FilterOutputStream {
    private final Consumer<IOException> broken;
    private final AtomicBoolean told = new AtomicBoolean();

    public WatchedOutput(OutputStream out, Consumer<IOException> broken) {
        super(out);
        this.broken = broken;
    }

    @Override
    public void write(int value) throws IOException {
        try {
            out.write(value);
        } catch (IOException e) {
            tell(e);
            throw e;
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            tell(e);
            throw e;
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            tell(e);
            throw e;
        }
    }

    private void tell(IOException e) {
        if (told.compareAndSet(false, true)) {
            broken.accept(e);
        }
    }
}
