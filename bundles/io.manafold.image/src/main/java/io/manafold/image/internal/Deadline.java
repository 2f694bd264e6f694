package io.manafold.image.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** The time that all of an archive may take, with what stands in it. */
final class Deadline {
    private final long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(Limits.SECONDS);

    void check() throws IOException {
        if (System.nanoTime() - end > 0) {
            throw new Refusal(Errno.ETIMEDOUT, "The archive was not read within " + Limits.SECONDS
                    + " s; unpack it and name the folder instead.");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted");
        }
    }

    /** The same stream, which is read in time: packed files may be long and unpack to nothing. */
    InputStream over(InputStream in) {
        return new FilterInputStream(in) {
            @Override
            public int read() throws IOException {
                check();
                return super.read();
            }

            @Override
            public int read(byte[] bytes, int at, int count) throws IOException {
                check();
                return super.read(bytes, at, count);
            }
        };
    }
}
