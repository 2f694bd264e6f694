package io.manafold.pmd.internal.process;

import io.manafold.api.memory.MemorySource;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixListener;
import io.manafold.linux.UnixSocket;
import io.manafold.memory.PacketPools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where secondaries of the same user come to a primary. Each is served by threads of its own, and there are few at a
 * time.
 */
public final class PrimarySocket implements AutoCloseable {
    /** Its name in the folder of the environment. */
    public static final String NAME = "mp_socket";
    static final int MOST_SECONDARIES = 8;
    private static final Logger LOG = LoggerFactory.getLogger(PrimarySocket.class);
    private static final int EBADF = 9;
    private static final int EINVAL = 22;

    private final UnixListener listener;
    private final PrimaryProcess primary;
    private final PacketPools pools;
    private final MemorySource memory;
    private final ThreadFactory threads;
    private final Set<Secondary> secondaries = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Listens from now on.
     *
     * @throws IOException if the socket cannot be made there, or another primary listens there
     */
    public PrimarySocket(Path path, PrimaryProcess primary, PacketPools pools, MemorySource memory) throws IOException {
        this(path, primary, pools, memory, Thread.ofPlatform().daemon().factory());
    }

    /** @param threads makes those that answer secondaries */
    PrimarySocket(Path path, PrimaryProcess primary, PacketPools pools, MemorySource memory, ThreadFactory threads)
            throws IOException {
        this.threads = threads;
        this.primary = primary;
        this.pools = pools;
        this.memory = memory;
        listener = UnixListener.listenForPackets(path);
        Thread.ofPlatform().daemon().name("pmd-primary-" + primary.prefix()).start(this::accept);
    }

    private void accept() {
        while (!closed) {
            try {
                serve(listener.accept());
            } catch (SystemCallException failed) {
                if (failed.errno() == EBADF || failed.errno() == EINVAL) {
                    return;
                }
                LOG.warn("A secondary at {} is not accepted: {}", listener.path(), failed.getMessage());
                pause();
            } catch (Throwable wrong) {
                // an Error too, as where no thread can be started: it costs that one client its connection
                LOG.warn("A secondary at {} is not accepted: {}", listener.path(), wrong.toString());
                pause();
            }
        }
    }

    /** Descriptors or threads may be short for a while. */
    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(UnixSocket socket) throws IOException {
        Secondary secondary = null;
        boolean begun = false;
        try {
            UnixSocket.Peer peer = socket.peer();
            Object own = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
            if (!own.equals(peer.user())) {
                LOG.warn("Process {} of user {} is no secondary at {}: it is not of user {}.", peer.process(),
                        peer.user(), listener.path(), own);
            } else if (secondaries.size() < MOST_SECONDARIES && !closed) {
                secondary = new Secondary(socket, peer.process(), primary, pools, memory, secondaries::remove,
                        threads);
                secondaries.add(secondary);
                secondary.start();
                begun = true;
            } else {
                LOG.warn("Process {} is no secondary at {}: there are {}, and there can be no more.", peer.process(),
                        listener.path(), MOST_SECONDARIES);
            }
        } finally {
            if (!begun) {
                if (secondary != null) {
                    secondaries.remove(secondary);
                }
                socket.close();
            }
        }
        if (closed) {
            secondaries.forEach(Secondary::close);
        }
    }

    /** The application closes a port: secondaries lose it. */
    public void gone(int port, String name) {
        secondaries.forEach(secondary -> secondary.gone(port, name));
    }

    /** How many there are. */
    public int secondaries() {
        return secondaries.size();
    }

    public Path path() {
        return listener.path();
    }

    /** The socket goes, and secondaries are left; when this returns, they have no queue any more. */
    @Override
    public void close() {
        closed = true;
        listener.close();
        secondaries.forEach(Secondary::close);
    }
}
