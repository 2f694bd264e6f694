package io.manafold.launcher.internal.attach;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Frames on their way to a client. A session never writes to the socket itself: an interrupt meant for its command
 * would close it. When the client is slow, the session waits.
 */
final class RemoteOutput {
    private static final int FRAMES = 32;
    private static final int LONGEST = 1 << 14;
    private static final long LOOK_MILLIS = 250;

    private final BlockingQueue<Frame> frames = new ArrayBlockingQueue<>(FRAMES);
    private volatile boolean closed;

    /** Puts a frame at the end, waiting for room. An interrupt costs no frame that there is room for. */
    void put(Frame frame) throws IOException {
        if (!closed && frames.offer(frame)) {
            return;
        }
        try {
            while (!closed) {
                if (frames.offer(frame, LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the client was slow");
        }
        throw new IOException("the client has gone");
    }

    Frame take() throws InterruptedException {
        return frames.take();
    }

    /** Refuses whatever is still to come. */
    void close() {
        closed = true;
    }

    /** A stream whose bytes become frames of a type. */
    OutputStream stream(FrameType type) {
        return new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                put(new Frame(type, new byte[] {(byte) value}));
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                for (int at = 0; at < length; at += LONGEST) {
                    int from = offset + at;
                    put(new Frame(type, Arrays.copyOfRange(bytes, from, from + Math.min(LONGEST, length - at))));
                }
            }
        };
    }
}
