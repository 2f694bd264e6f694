package io.manafold.launcher.internal.attach;

import io.manafold.launcher.internal.Places;
import io.manafold.shell.Shell;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets other processes of the same user talk to this platform, through a socket in its data folder. */
public final class AttachServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AttachServer.class);
    private static final int MOST_CLIENTS = 16;
    private static final Duration GREETING_LIMIT = Duration.ofSeconds(5);

    private final ServerSocketChannel server;
    private final Path socket;
    private final UserPrincipal owner;
    private final Supplier<Shell> shells;
    private final Path history;
    private final Semaphore room = new Semaphore(MOST_CLIENTS);
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicLong numbers = new AtomicLong();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("attach clock").unstarted(task));

    private AttachServer(ServerSocketChannel server, Path socket, UserPrincipal owner, Supplier<Shell> shells,
            Path history) {
        this.server = server;
        this.socket = socket;
        this.owner = owner;
        this.shells = shells;
        this.history = history;
    }

    /**
     * Opens the socket of a data folder that this process has locked; one that a killed process left there is replaced.
     *
     * @param shells waits until the platform is ready, then gives its shell
     */
    public static AttachServer open(Path data, Path history, Supplier<Shell> shells) throws IOException {
        Path socket = Places.socket(data);
        Files.deleteIfExists(socket);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(socket));
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
            AttachServer opened = new AttachServer(server, socket, Files.getOwner(socket), shells, history);
            Thread.ofPlatform().daemon().name("attach").start(opened::accept);
            return opened;
        } catch (IOException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        Files.deleteIfExists(socket);
        clock.shutdownNow();
        connections.forEach(Connection::close);
    }

    private void accept() {
        while (server.isOpen()) {
            try {
                serve(server.accept());
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                LOG.warn("A client could not be let in", e);
            }
        }
    }

    private void serve(SocketChannel channel) throws IOException {
        // the folder keeps others out already; whoever got a way around it is asked who they are
        if (!channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().equals(owner)) {
            LOG.warn("A process of another user was turned away from {}", socket);
            channel.close();
            return;
        }
        String name = "attach " + numbers.incrementAndGet();
        if (!room.tryAcquire()) {
            Thread.ofVirtual().name(name).start(() -> turnAway(channel));
            return;
        }
        Connection connection = new Connection(channel, shells, history);
        connections.add(connection);
        Thread.ofVirtual().name(name + " reader").start(() -> serve(connection, name));
        if (!server.isOpen()) {
            connection.close();
            return;
        }
        clock.schedule(() -> dropSilent(connection, name), GREETING_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void serve(Connection connection, String name) {
        try {
            connection.serve(name);
            // a command that does not end keeps its place: without that, such commands could pile up
            connection.awaitWorker();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            connections.remove(connection);
            room.release();
        }
    }

    private void dropSilent(Connection connection, String name) {
        if (!connection.greeted() && connections.contains(connection)) {
            LOG.warn("{} said nothing for {} s and is disconnected", name, GREETING_LIMIT.toSeconds());
            connection.close();
        }
    }

    private void turnAway(SocketChannel channel) {
        clock.schedule(() -> close(channel), GREETING_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        try (channel) {
            Frame.text(FrameType.REFUSED, "There are " + MOST_CLIENTS + " clients already; end one of them first.")
                    .write(channel);
        } catch (IOException e) {
            LOG.debug("a client did not wait to be turned away", e);
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.debug("a client's socket did not close", e);
        }
    }
}
