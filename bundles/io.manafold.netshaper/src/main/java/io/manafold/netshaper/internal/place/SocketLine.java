package io.manafold.netshaper.internal.place;

import io.manafold.api.refusal.Refusal;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixSocket;
import io.manafold.netshaper.internal.wire.Netlink;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * To a server that answers messages over a Unix socket, as {@link SocketServer} does. Each exchange has a connection of
 * its own; answers to an earlier client that did not wait for them are passed over.
 */
final class SocketLine implements Line {
    private static final long PATIENCE_MILLIS = 10_000;
    private static final int ROOM = 64 * 1024;
    private static final int EPROTO = 71;
    private static final int ECONNRESET = 104;

    private final Path path;

    SocketLine(Path path) {
        this.path = path;
    }

    @Override
    public List<byte[]> exchange(byte[] request) {
        try (UnixSocket socket = UnixSocket.connect(path, PATIENCE_MILLIS)) {
            socket.receiveLimit(PATIENCE_MILLIS);
            socket.send(Arrays.copyOf(request, Netlink.aligned(request.length)), 0, Netlink.aligned(request.length));
            return answers(socket, Netlink.get32(request, 8));
        } catch (SystemCallException failed) {
            throw new Refusal(Errnos.of(failed.errno()), "No server answers netlink behind " + path + ": "
                    + failed.getMessage() + ". A virtual machine needs the relay running in it, a platform has its "
                    + "socket in its data folder.", failed);
        }
    }

    private static List<byte[]> answers(UnixSocket socket, int sequence) throws SystemCallException {
        List<byte[]> messages = new ArrayList<>();
        byte[] room = new byte[ROOM];
        int filled = 0;
        while (true) {
            int came = socket.receive(room, filled, room.length - filled);
            if (came < 0) {
                throw new SystemCallException("it has hung up in the middle of an answer", ECONNRESET);
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
                }
            }
            System.arraycopy(room, taken, room, 0, filled - taken);
            filled -= taken;
        }
    }
}
