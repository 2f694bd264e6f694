package io.manafold.netshaper.internal.place;

import io.manafold.agent.Mistakes;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixListener;
import io.manafold.linux.UnixSocket;
import io.manafold.netshaper.internal.serve.Caller;
import io.manafold.netshaper.internal.serve.Server;
import io.manafold.netshaper.internal.wire.Netlink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages over a socket in the data folder, {@code netlink.sock}: what comes is requests as a kernel takes them, one
 * after the other, and what goes is answers as it gives them. Only the user whom the platform runs as gets in.
 */
@Component(service = {}, immediate = true)
public final class SocketServer {
    private static final Logger LOG = LoggerFactory.getLogger(SocketServer.class);
    private static final int MOST_CLIENTS = 16;
    private static final int LONGEST_PATH = 107;
    private static final int LONGEST_MESSAGE = 64 * 1024;
    /** A client who does not take its answers is left. */
    private static final long PATIENCE_MILLIS = 10_000;

    private final Server server;
    private final Set<UnixSocket> clients = ConcurrentHashMap.newKeySet();
    private final UnixListener listener;
    /** Set before the listener closes: an accept that fails from then on is the end, and no client's fault. */
    private volatile boolean ending;

    @Activate
    public SocketServer(BundleContext context, @Reference PlatformShapers shapers) {
        this(path(context), shapers.server());
    }

    SocketServer(Path path, Server server) {
        this.server = server;
        this.listener = open(path);
        if (listener != null) {
            Thread.ofPlatform().daemon().name("manafold-netlink").start(this::run);
        }
    }

    private static Path path(BundleContext context) {
        String data = context.getProperty("manafold.data");
        Path folder = data == null || data.isBlank() ? context.getDataFile("netshaper").toPath() : Path.of(data);
        return folder.toAbsolutePath().resolve("netlink.sock").normalize();
    }

    private static UnixListener open(Path path) {
        int bytes = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > LONGEST_PATH) {
            LOG.warn("no client can speak netlink over {}: the path of a socket has at most {} bytes, and this one has "
                    + "{}. Choose a data folder with a shorter path (--data)", path, LONGEST_PATH, bytes);
            return null;
        }
        try {
            Files.createDirectories(path.getParent(),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            return UnixListener.listen(path);
        } catch (IOException failed) {
            LOG.warn("no client can speak netlink over {}: {}", path, failed.getMessage());
            return null;
        }
    }

    @Deactivate
    void end() {
        ending = true;
        if (listener != null) {
            listener.close();
        }
        clients.forEach(UnixSocket::close);
    }

    private void run() {
        Mistakes mistakes = new Mistakes(mistake -> LOG.warn("a client of netlink could not be let in; the next of "
                + "this kind are not logged", mistake));
        while (!ending) {
            try {
                welcome(listener.accept());
            } catch (SystemCallException | RuntimeException | Error failed) {
                if (!ending) {
                    mistakes.happened(failed);
                }
            }
        }
    }

    private void welcome(UnixSocket client) throws SystemCallException {
        try {
            admit(client);
        } catch (SystemCallException | RuntimeException | Error failed) {
            clients.remove(client);
            client.close();
            throw failed;
        }
    }

    private void admit(UnixSocket client) throws SystemCallException {
        if (clients.size() >= MOST_CLIENTS) {
            LOG.warn("a client of netlink was turned away: {} are there already", MOST_CLIENTS);
            client.close();
            return;
        }
        client.sendLimit(PATIENCE_MILLIS);
        clients.add(client);
        if (ending) {
            client.close();
        }
        // a thread of the system each: a wait in the kernel would keep one of the few that carry virtual threads
        Thread.ofPlatform().daemon().name("manafold-netlink-client").start(() -> {
            try {
                serve(client);
            } catch (SystemCallException gone) {
                LOG.debug("a client of netlink has gone: {}", gone.getMessage());
            } catch (RuntimeException | Error failed) {
                LOG.warn("a client of netlink is left, as its service failed", failed);
            } finally {
                clients.remove(client);
                client.close();
            }
        });
    }

    private void serve(UnixSocket client) throws SystemCallException {
        UnixSocket.Peer peer = client.peer();
        // a client that passes the file's permissions is this user or the machine's administrator
        Caller caller = new Caller(peer.process(), true, true, true);
        byte[] room = new byte[LONGEST_MESSAGE];
        int filled = 0;
        while (true) {
            int came = client.receive(room, filled, room.length - filled);
            if (came < 0) {
                return;
            }
            filled += came;
            int taken = 0;
            while (filled - taken >= Netlink.HEADER) {
                int length = Netlink.get32(room, taken);
                if (length < Netlink.HEADER || Netlink.aligned(length) > room.length || length > room.length) {
                    LOG.warn("a client of netlink sent a message of {} bytes and is left; there are from {} to {}",
                            length, Netlink.HEADER, LONGEST_MESSAGE);
                    return;
                }
                int whole = Netlink.aligned(length);
                if (filled - taken < whole) {
                    break;
                }
                answer(client, Arrays.copyOfRange(room, taken, taken + length), caller);
                taken += whole;
            }
            System.arraycopy(room, taken, room, 0, filled - taken);
            filled -= taken;
        }
    }

    private void answer(UnixSocket client, byte[] message, Caller caller) throws SystemCallException {
        for (byte[] datagram : server.handle(message, caller)) {
            byte[] padded = Arrays.copyOf(datagram, Netlink.aligned(datagram.length));
            client.send(padded, 0, padded.length);
        }
    }
}
