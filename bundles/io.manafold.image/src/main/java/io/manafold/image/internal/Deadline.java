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
    private final int seconds;
    private final String what;
    private final long end;

    Deadline() {
        this(Limits.SECONDS, "The archive was not read within " + Limits.SECONDS
                + " s; unpack it and name the folder instead.");
    }

    /** @param what is said when the time is over */
    Deadline(int seconds, String what) {
        this(seconds, what, TimeUnit.SECONDS.toNanos(seconds));
    }

    private Deadline(int seconds, String what, long nanos) {
        this.seconds = seconds;
        this.what = what;
        end = System.nanoTime() + nanos;
    }

    /** What is left of the time that all archives of a folder may take. */
    static Deadline ofFolder(long nanos) {
        return new Deadline(Limits.SECONDS, "The archives in the folder were not read within " + Limits.SECONDS
                + " s in all; what stands in the rest of them is not shown.", nanos);
    }

    int seconds() {
        return seconds;
    }

    boolean isOver() {
        return System.nanoTime() - end > 0;
    }

    void check() throws IOException {
        if (isOver()) {
            throw new Refusal(Errno.ETIMEDOUT, what);
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
