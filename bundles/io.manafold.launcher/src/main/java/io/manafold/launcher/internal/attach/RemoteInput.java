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
    /** Ctrl-U: an editor of lines forgets what it has of the line. */
    private static final byte FORGET_LINE = 21;

    private final byte[] ring = new byte[CAPACITY];
    private final IntConsumer ask;
    private int head;
    private int count;
    private int outstanding;
    private boolean ended;
    /** What comes up to the end of a line goes, as the line's begin has gone. */
    private boolean skipping;

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
        int from = skipping ? lineEnd(bytes) : 0;
        skipping &= from == bytes.length;
        int length = bytes.length - from;
        int tail = (head + count) % CAPACITY;
        int first = Math.min(length, CAPACITY - tail);
        System.arraycopy(bytes, from, ring, tail, first);
        System.arraycopy(bytes, from + first, ring, 0, length - first);
        count += length;
        notifyAll();
    }

    /** Where a line ends; Ctrl-C ends it, too, since it is for the command that runs. */
    private static int lineEnd(byte[] bytes) {
        int at = 0;
        while (at < bytes.length && !isLineEnd(bytes[at]) && bytes[at] != LineLimit.INTERRUPT) {
            at++;
        }
        return at;
    }

    private static boolean isLineEnd(byte key) {
        return key == '\n' || key == '\r';
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
        while (true) {
            if (wanting()) {
                ask.accept(CAPACITY);
            }
            int taken = take(bytes, offset, length);
            if (taken != 0) {
                return taken;
            }
        }
    }

    @Override
    public synchronized int available() {
        return count;
    }

    /** Takes a key out of what is here, wherever it stands; false if it is not there. */
    synchronized boolean takeOut(byte key) {
        for (int i = 0; i < count; i++) {
            if (at(i) == key) {
                // what stands before it moves up
                for (int j = i; j > 0; j--) {
                    ring[(head + j) % CAPACITY] = at(j - 1);
                }
                head = (head + 1) % CAPACITY;
                count--;
                return true;
            }
        }
        return false;
    }

    /**
     * Lets a client send more that has sent all it may. Where there is no room for that whole lines are dropped, so
     * that no two halves of lines become one.
     */
    void dropWhatFillsIt() {
        int more;
        synchronized (this) {
            if (ended || outstanding > 0) {
                return;
            }
            // it may have sent all it may though most of that was read
            if (count == CAPACITY) {
                dropLines();
            }
            outstanding = CAPACITY - count;
            more = outstanding;
        }
        ask.accept(more);
    }

    /** What is left is the end of the line that was begun to be read, and the begin of the one that is on its way. */
    private void dropLines() {
        int first = 0;
        while (first < count && !isLineEnd(at(first))) {
            first++;
        }
        int last = count - 1;
        while (last >= 0 && !isLineEnd(at(last))) {
            last--;
        }
        if (first >= last) {
            // lines so long are not read
            ring[head] = FORGET_LINE;
            count = 1;
            skipping = true;
            return;
        }
        int dropped = last - first;
        for (int i = first; i >= 0; i--) {
            ring[(head + i + dropped) % CAPACITY] = at(i);
        }
        head = (head + dropped) % CAPACITY;
        count -= dropped;
    }

    private byte at(int index) {
        return ring[(head + index) % CAPACITY];
    }

    /** Whether the client must be asked: there is nothing here and nothing on the way. */
    private synchronized boolean wanting() {
        if (ended || count > 0 || outstanding > 0) {
            return false;
        }
        outstanding = CAPACITY;
        return true;
    }

    /** 0 if all that the client was asked for was skipped. */
    private synchronized int take(byte[] bytes, int offset, int length) throws IOException {
        try {
            while (count == 0 && !ended && outstanding > 0) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for input");
        }
        if (count == 0) {
            return ended ? -1 : 0;
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
