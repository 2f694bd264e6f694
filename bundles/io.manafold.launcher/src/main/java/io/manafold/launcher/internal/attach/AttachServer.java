package io.manafold.launcher.internal.attach;

import io.manafold.launcher.internal.words.Places;
import io.manafold.shell.Shell;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets other processes of the same user, and root's, talk to this platform, through a socket in its data folder. */
public final class AttachServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AttachServer.class);
    private static final int MOST_CLIENTS = 16;
    private static final Duration GREETING_LIMIT = Duration.ofSeconds(5);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final ServerSocketChannel server;
    private final Path socket;
    private final UserPrincipal owner;
    private final Supplier<Shell> shells;
    private final Path history;
    private final Supplier<List<String>> greeting;
    private final Semaphore room = new Semaphore(MOST_CLIENTS);
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicLong numbers = new AtomicLong();
    private final ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1,
            task -> Thread.ofPlatform().daemon().name("attach clock").unstarted(task));

    private AttachServer(ServerSocketChannel server, Path socket, UserPrincipal owner, Supplier<Shell> shells,
            Path history, Supplier<List<String>> greeting) {
        this.greeting = greeting;
        this.server = server;
        this.socket = socket;
        this.owner = owner;
        this.shells = shells;
        this.history = history;
        // or clients that come and go would leave a task each
        clock.setRemoveOnCancelPolicy(true);
    }

    /**
     * Opens the socket of a data folder that this process has locked; one that a killed process left there is replaced.
     *
     * @param shells waits until the platform is ready, then gives its shell
     * @param greeting what a user is told above the first question, asked for on the client's thread
     */
    public static AttachServer open(Path data, Path history, Supplier<Shell> shells, Supplier<List<String>> greeting)
            throws IOException {
        Path socket = Places.socket(data);
        Files.deleteIfExists(socket);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(socket));
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
            AttachServer opened = new AttachServer(server, socket, Files.getOwner(socket), shells, history,
                    greeting);
            Thread.ofPlatform().daemon().name("attach").start(opened::accept);
            return opened;
        } catch (IOException | RuntimeException | Error e) {
            server.close();
            Files.deleteIfExists(socket);
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

    /** Goes on whatever happens: without this thread nothing but a signal reaches the platform. */
    private void accept() {
        Set<Class<?>> told = new HashSet<>();
        while (server.isOpen()) {
            try {
                serve(server.accept());
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException | RuntimeException | Error e) {
                if (told.add(e.getClass())) {
                    LOG.warn("A client could not be let in; the next of this kind are not logged", e);
                }
                LockSupport.parkNanos(PAUSE.toNanos());
            }
        }
    }

    private void serve(SocketChannel channel) throws IOException {
        try {
            admit(channel);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    private void admit(SocketChannel channel) throws IOException {
        // the folder keeps others out already; a process that got a way around it is asked who it is
        UserPrincipal user = channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        if (!mayEnter(user, owner)) {
            LOG.warn("A process of the user {} was turned away from {}", user.getName(), socket);
            turnAway(channel, "This platform is the user " + owner.getName()
                    + "'s; only that user and root can attach.");
            return;
        }
        if (!room.tryAcquire()) {
            turnAway(channel, "There are " + MOST_CLIENTS + " clients already; end one of them first.");
            return;
        }
        try {
            start(new Connection(channel, shells, history, greeting), "attach " + numbers.incrementAndGet());
        } catch (RuntimeException | Error e) {
            room.release();
            throw e;
        }
    }

    /** Root may do anything to this process anyway, and has no other way to a service whose user exists only for it. */
    static boolean mayEnter(UserPrincipal user, UserPrincipal owner) throws IOException {
        return user.equals(owner) || user.equals(root());
    }

    /** By its number, since a container may have no names. */
    private static UserPrincipal root() throws IOException {
        return FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName("0");
    }

    private void start(Connection connection, String name) {
        Future<?> silence = clock.schedule(() -> dropSilent(connection, name), GREETING_LIMIT.toMillis(),
                TimeUnit.MILLISECONDS);
        connections.add(connection);
        try {
            Thread.ofPlatform().daemon().name(name + " reader").start(() -> serve(connection, name, silence));
        } catch (RuntimeException | Error e) {
            silence.cancel(false);
            connections.remove(connection);
            throw e;
        }
        if (!server.isOpen()) {
            connection.close();
        }
    }

    private void serve(Connection connection, String name, Future<?> silence) {
        try {
            connection.serve(name);
            // a command that does not end keeps its place: without that, such commands could pile up
            connection.awaitWorker();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            silence.cancel(false);
            connection.close();
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

    /** One sentence always fits into a socket that nothing was written to, so this waits for no client. */
    private static void turnAway(SocketChannel channel, String why) {
        try (channel) {
            Frame.text(FrameType.REFUSED, why).write(channel);
        } catch (IOException e) {
            LOG.debug("a client did not wait to be turned away", e);
        }
    }
}
