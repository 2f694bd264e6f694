package io.manafold.image.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** What an archive unpacks to, up to so many bytes and so much time. */
final class BoundedInput {
    private final InputStream in;
    private final byte[] skipped = new byte[1 << 16];
    private final Deadline deadline;
    private long read;

    BoundedInput(InputStream in, Deadline deadline) {
        this.in = in;
        this.deadline = deadline;
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

    Deadline deadline() {
        return deadline;
    }

    /** What comes next as a stream of its own, which ends after so many bytes. */
    InputStream part(long size) {
        return part(size, true);
    }

    /** @param whole whether it is broken if it ends before */
    InputStream part(long size, boolean whole) {
        return new InputStream() {
            private long left = size;

            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] bytes, int at, int wanted) throws IOException {
                int most = (int) Math.min(left, wanted);
                if (most == 0) {
                    return wanted == 0 ? 0 : -1;
                }
                count(most);
                int got = in.readNBytes(bytes, at, most);
                if (got < most && whole) {
                    throw new EOFException("it ends in the middle of an entry");
                }
                left -= got;
                return got == 0 ? -1 : got;
            }
        };
    }

    private void count(int bytes) throws IOException {
        read += bytes;
        if (read > Limits.UNPACKED) {
            throw new Refusal(Errno.EMSGSIZE, "The archive unpacks to more than " + (Limits.UNPACKED >> 30)
                    + " GiB; unpack it and name the folder instead.");
        }
        deadline.check();
    }
}
