package io.manafold.image.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** What an archive unpacks to, up to so many bytes and so much time. */
final class BoundedInput {
    private final InputStream in;
    private final byte[] skipped = new byte[1 << 16];
    private final long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Limits.SECONDS);
    private long read;

    BoundedInput(InputStream in) {
        this.in = in;
    }

    long position() {
        return read;
    }

    /** Fills the array, or answers false if there is nothing any more. */
    boolean fill(byte[] bytes) throws IOException {
        count(bytes.length);
        int got = in.readNBytes(bytes, 0, bytes.length);
        if (got > 0 && got < bytes.length) {
            throw new EOFException("it ends in the middle of an entry");
        }
        return got == bytes.length;
    }

    byte[] bytes(int count) throws IOException {
        byte[] bytes = new byte[count];
        if (count > 0 && !fill(bytes)) {
            throw new EOFException("it ends in the middle of an entry");
        }
        return bytes;
    }

    void skip(long count) throws IOException {
        for (long left = count; left > 0;) {
            int wanted = (int) Math.min(left, skipped.length);
            count(wanted);
            if (in.readNBytes(skipped, 0, wanted) < wanted) {
                throw new EOFException("it ends in the middle of an entry");
            }
            left -= wanted;
        }
    }

    private void count(int bytes) throws IOException {
        read += bytes;
        if (read > Limits.UNPACKED) {
            throw new Refusal(Errno.EMSGSIZE, "The archive unpacks to more than " + (Limits.UNPACKED >> 30) + " GiB; unpack it and name the "
                    + "folder instead.");
        }
        if (System.nanoTime() - deadline > 0) {
            throw new Refusal(Errno.ETIMEDOUT, "The archive was not read within " + Limits.SECONDS + " s; unpack it and name the folder "
                    + "instead.");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("interrupted");
        }
    }
}
