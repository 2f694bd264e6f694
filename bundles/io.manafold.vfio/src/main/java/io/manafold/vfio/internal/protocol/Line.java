package io.manafold.vfio.internal.protocol;

import io.manafold.linux.Descriptor;
import io.manafold.linux.EventFd;
import io.manafold.linux.Poll;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixSocket;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The connection to the other side. One thread receives and closes; one thread at a time sends. */
public final class Line {
    private static final int EAGAIN = 11;
    private static final int EPROTO = 71;
    private static final int ECONNRESET = 104;
    private static final int[] NONE = {};

    private final UnixSocket socket;
    private final SessionCounters costs;
    private final Poll arrivals = new Poll(1);
    private final Poll arrivalsAndSignal = new Poll(2);

    /**
     * @param wake what others signal
     * @param patience how long the other side may let a message lie, in nanoseconds
     */
    Line(UnixSocket socket, EventFd wake, long patience, SessionCounters costs) throws SystemCallException {
        this(socket, patience, costs);
        arrivalsAndSignal.add(wake.descriptor(), Poll.READABLE);
    }

    /** For who only waits for messages. */
    public Line(UnixSocket socket, long patience) throws SystemCallException {
        this(socket, patience, new SessionCounters());
    }

    private Line(UnixSocket socket, long patience, SessionCounters costs) throws SystemCallException {
        this.socket = socket;
        this.costs = costs;
        socket.sendLimit(Math.max(1, TimeUnit.NANOSECONDS.toMillis(patience)));
        arrivals.add(socket.descriptor(), Poll.READABLE);
        arrivalsAndSignal.add(socket.descriptor(), Poll.READABLE);
    }

    /** How many bytes were received: 0 at the end, −1 if there are none and the thread is not to wait. */
    int receive(byte[] into, int offset, boolean wait, List<Descriptor> descriptors)
            throws SessionEndedException, SystemCallException {
        if (!wait) {
            costs.call();
            if (arrivals.await(0) == 0) {
                return -1;
            }
        }
        costs.call();
        try {
            return Math.max(0, socket.receive(into, offset, into.length - offset, descriptors));
        } catch (SystemCallException failed) {
            if (failed.errno() == ECONNRESET) {
                return 0;
            }
            if (failed.errno() == EPROTO) {
                throw new SessionEndedException("a message came with more than " + VfioUser.MAX_DESCRIPTORS
                        + " descriptors");
            }
            throw failed;
        }
    }

    /** Sends all of a message. */
    public void send(byte[] message, int size) throws SessionEndedException, SystemCallException {
        send(message, size, NONE);
    }

    /** Sends all of a message, and descriptors, which stay the caller's. */
    public void send(byte[] message, int size, int[] descriptors) throws SessionEndedException, SystemCallException {
        costs.call();
        try {
            socket.send(message, 0, size, descriptors);
        } catch (SystemCallException failed) {
            if (failed.errno() == EAGAIN) {
                throw new SessionEndedException("it does not read what is sent to it");
            }
            throw failed;
        }
    }

    /** Waits for the signal, and for something to read if that is wished. */
    void await(boolean readable, long nanos) throws SystemCallException {
        arrivalsAndSignal.events(0, readable ? Poll.READABLE : 0);
        costs.call();
        arrivalsAndSignal.await((int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(nanos) + 1));
    }

    /** Ends the connection; threads that wait here are woken. Any thread may call. */
    public void shutdown() {
        socket.shutdown();
    }

    public void close() {
        GracefulClose.close(socket);
    }
}
