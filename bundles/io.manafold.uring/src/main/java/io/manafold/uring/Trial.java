package io.manafold.uring;

import io.manafold.linux.SystemCallException;
import io.manafold.linux.TcpSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** A ring of the calling thread, and one connection of this machine with itself, to try operations on. */
final class Trial implements AutoCloseable {
    private static final long STEP = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(2);

    final Ring ring;
    final TcpSocket listener;
    final TcpSocket client;
    private TcpSocket accepted;
    private long tag;

    Trial(RingSetup setup) throws SystemCallException {
        ring = Ring.open(setup);
        try {
            ring.enable();
            listener = TcpSocket.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4);
        } catch (SystemCallException | RuntimeException refused) {
            ring.close();
            throw refused;
        }
        try {
            client = TcpSocket.open(listener.local());
        } catch (SystemCallException refused) {
            listener.close();
            ring.close();
            throw refused;
        }
    }

    boolean isDeferred() {
        return ring.isDeferred();
    }

    /** Connects, and accepts in that way; the accepted descriptor or a negative error number. */
    long connect(Request accept) throws SystemCallException {
        client.connect(listener.local());
        return accept(accept);
    }

    /** Accepts in another way what is connected and was not accepted. */
    long accept(Request accept) {
        long result = once(accept, 0, 0);
        if (result >= 0) {
            accepted = TcpSocket.adopt((int) result);
        }
        return result;
    }

    TcpSocket accepted() {
        return accepted;
    }

    /** Does one thing and answers its result; −62 if none has come in time. */
    long once(Request request, long address, int length) {
        return done(request, address, length, false);
    }

    /** As {@link #once}, for a send that has two completions. */
    long twice(Request request, long address, int length) {
        return done(request, address, length, true);
    }

    private long done(Request request, long address, int length, boolean notified) {
        long mine = ++tag;
        ring.add(request, address, length, mine);
        long end = System.nanoTime() + PATIENCE;
        long result = -Limits.ETIME;
        boolean waiting = true;
        while (waiting && System.nanoTime() - end < 0) {
            int answer = ring.await(1, STEP);
            if (answer < 0) {
                return answer;
            }
            int ready = ring.ready();
            for (int i = 0; i < ready; i++) {
                if (ring.tag(i) == mine) {
                    result = (ring.flags(i) & Ring.NOTIFICATION) != 0 ? result : ring.result(i);
                    // requests that go on and on have more, too, but one is enough
                    waiting = notified && (ring.flags(i) & Ring.MORE) != 0;
                }
            }
            ring.done(ready);
        }
        return result;
    }

    @Override
    public void close() {
        if (accepted != null) {
            accepted.close();
        }
        client.close();
        listener.close();
        ring.close();
    }
}
