package io.manafold.launcher.internal.attach;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.function.IntConsumer;

/**
 * The input of a session whose other end is a client. It asks for bytes when it is read and has none, so that what
 * is not read stays where it is, and a client can send no more than there is room for.
 */
final class RemoteInput extends InputStream {
    static final int CAPACITY = 1 << 16;

    private final byte[] ring = new byte[CAPACITY];
    private final IntConsumer ask;
    private int head;
    private int count;
    private int outstanding;
    private boolean ended;

    /** @param ask tells the client how many more bytes it may send */
    RemoteInput(IntConsumer ask) {
        this.ask = ask;
    }

    /** Takes what the client has sent. */
    synchronized void offer(byte[] bytes) throws ProtocolException {
        if (bytes.length > outstanding) {
            throw new ProtocolException("there are " + bytes.length + " bytes of input where " + outstanding
                    + " were asked for");
        }
        outstanding -= bytes.length;
        int tail = (head + count) % CAPACITY;
        int first = Math.min(bytes.length, CAPACITY - tail);
        System.arraycopy(bytes, 0, ring, tail, first);
        System.arraycopy(bytes, first, ring, 0, bytes.length - first);
        count += bytes.length;
        notifyAll();
    }

    /** No more will come. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length == 0) {
            return 0;
        }
        if (wanting()) {
            ask.accept(CAPACITY);
        }
        return take(bytes, offset, length);
    }

    @Override
    public synchronized int available() {
        return count;
    }

    /** Takes a key out of what is here, wherever it stands; false if it is not there. */
    synchronized boolean takeOut(byte key) {
        for (int i = 0; i < count; i++) {
            if (ring[(head + i) % CAPACITY] == key) {
                // what stands before it moves up
                for (int j = i; j > 0; j--) {
                    ring[(head + j) % CAPACITY] = ring[(head + j - 1) % CAPACITY];
                }
                head = (head + 1) % CAPACITY;
                count--;
                return true;
            }
        }
        return false;
    }

    /** Lets a client send more that has sent all it may, none of which is read: that is dropped. */
    void dropWhatFillsIt() {
        synchronized (this) {
            if (outstanding > 0) {
                return;
            }
            count = 0;
        }
        if (wanting()) {
            ask.accept(CAPACITY);
        }
    }

    /** Whether the client must be asked: there is nothing here and nothing on the way. */
    private synchronized boolean wanting() {
        if (ended || count > 0 || outstanding > 0) {
            return false;
        }
        outstanding = CAPACITY;
        return true;
    }

    private synchronized int take(byte[] bytes, int offset, int length) throws IOException {
        try {
            while (count == 0 && !ended) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for input");
        }
        if (count == 0) {
            return -1;
        }
        int taken = Math.min(length, count);
        int first = Math.min(taken, CAPACITY - head);
        System.arraycopy(ring, head, bytes, offset, first);
        System.arraycopy(ring, 0, bytes, offset + first, taken - first);
        head = (head + taken) % CAPACITY;
        count -= taken;
        return taken;
    }
}
