package io.manafold.netshaper.internal.place;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixSocket;
import io.manafold.netshaper.internal.wire.Netlink;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * To a server that answers messages over a Unix socket, as {@link SocketServer} does. Each exchange has a connection of
 * its own; answers to an earlier client that did not wait for them are passed over. Whatever the server sends, an
 * exchange has its time and its bytes, and an interrupt ends it.
 */
final class SocketLine implements Line {
    /** For all of an exchange. */
    static final long PATIENCE_MILLIS = 10_000;
    /** As many bytes as are taken in an exchange, with those of answers to other clients. */
    static final int MOST_BYTES = 16 << 20;
    /** As many messages as an answer has. */
    static final int MOST_MESSAGES = 1 << 16;
    /** How long it takes at most until an interrupt is seen. */
    private static final long GLANCE_MILLIS = 200;
    private static final int ROOM = 64 * 1024;
    private static final int EAGAIN = 11;
    private static final int EPROTO = 71;
    private static final int ECONNRESET = 104;
    private static final int ETIMEDOUT = 110;

    private final Path path;

    SocketLine(Path path) {
        this.path = path;
    }

    @Override
    public List<byte[]> exchange(byte[] request) {
        try (UnixSocket socket = UnixSocket.connect(path, PATIENCE_MILLIS)) {
            socket.receiveLimit(GLANCE_MILLIS);
            socket.send(Arrays.copyOf(request, Netlink.aligned(request.length)), 0, Netlink.aligned(request.length));
            return answers(socket, Netlink.get32(request, 8));
        } catch (SystemCallException failed) {
            throw new Refusal(Errnos.of(failed.errno()), "No server answers netlink behind " + path + ": "
                    + failed.getMessage() + ". A virtual machine needs the relay running in it, a platform has its "
                    + "socket in its data folder.", failed);
        }
    }

    private List<byte[]> answers(UnixSocket socket, int sequence) throws SystemCallException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        List<byte[]> messages = new ArrayList<>();
        byte[] room = new byte[ROOM];
        int filled = 0;
        int left = MOST_BYTES;
        while (true) {
            int came = receive(socket, room, filled, end);
            if (came < 0) {
                throw new SystemCallException("it has hung up in the middle of an answer", ECONNRESET);
            }
            left -= came;
            if (left < 0) {
                throw new SystemCallException("it sends more than " + MOST_BYTES + " bytes", EPROTO);
            }
            filled += came;
            int taken = 0;
            while (filled - taken >= Netlink.HEADER) {
                int length = Netlink.get32(room, taken);
                if (length < Netlink.HEADER || length > room.length - Netlink.HEADER) {
                    throw new SystemCallException("it sends a message of " + Integer.toUnsignedString(length)
                            + " bytes", EPROTO);
                }
                if (filled - taken < Netlink.aligned(length)) {
                    break;
                }
                byte[] message = Arrays.copyOfRange(room, taken, taken + length);
                taken += Netlink.aligned(length);
                if (Netlink.get32(message, 8) == sequence) {
                    messages.add(message);
                    int type = Netlink.get16(message, 4);
                    if (type == Netlink.ERROR || type == Netlink.DONE) {
                        return messages;
                    }
                    if (messages.size() >= MOST_MESSAGES) {
                        throw new SystemCallException("it answers with more than " + MOST_MESSAGES + " messages",
                                EPROTO);
                    }
                }
            }
            System.arraycopy(room, taken, room, 0, filled - taken);
            filled -= taken;
        }
    }

    /** Waits for bytes, in short glances, until the exchange has had its time or the thread is interrupted. */
    private int receive(UnixSocket socket, byte[] room, int filled, long end) throws SystemCallException {
        while (true) {
            if (Thread.currentThread().isInterrupted()) {
                throw new Refusal(Errno.EINTR, "The command that waited for what answers behind " + path
                        + " was interrupted; whether it was carried out there is not known.");
            }
            if (System.nanoTime() - end >= 0) {
                throw new SystemCallException("it has not come to the end of its answer within "
                        + TimeUnit.MILLISECONDS.toSeconds(PATIENCE_MILLIS) + " s", ETIMEDOUT);
            }
            try {
                return socket.receive(room, filled, room.length - filled);
            } catch (SystemCallException nothing) {
                if (nothing.errno() != EAGAIN) {
                    throw nothing;
                }
            }
        }
    }
}
