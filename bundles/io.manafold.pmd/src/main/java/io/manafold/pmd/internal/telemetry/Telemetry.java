package io.manafold.pmd.internal.telemetry;

import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixListener;
import io.manafold.linux.UnixSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers questions about an environment at a socket of its user alone, packet by packet: a command comes, an object of
 * JSON goes. A client has a thread, and is left if it does not take its answers; there are few at a time.
 */
public final class Telemetry implements AutoCloseable {
    /** Clients at a time. */
    static final int MOST_CLIENTS = 10;
    /** Bytes of a command; a longer one is cut, and so is no command. */
    static final int LONGEST_COMMAND = 1024;
    private static final Logger LOG = LoggerFactory.getLogger(Telemetry.class);
    private static final int EBADF = 9;
    private static final int EINVAL = 22;
    private static final long SEND_MILLIS = 1000;

    private final UnixListener listener;
    private final Answers answers;
    private final ThreadFactory threads;
    private final Set<UnixSocket> clients = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Listens from now on.
     *
     * @throws IOException if the socket cannot be made there
     */
    public Telemetry(Path path, String name, Answers answers) throws IOException {
        this(path, name, answers, Thread.ofPlatform().daemon().name("pmd-telemetry-client").factory());
    }

    /** @param threads makes those that clients have */
    Telemetry(Path path, String name, Answers answers, ThreadFactory threads) throws IOException {
        this.threads = threads;
        this.answers = answers;
        listener = UnixListener.listenForPackets(path);
        Thread.ofPlatform().daemon().name("pmd-telemetry-" + name).start(this::accept);
    }

    private void accept() {
        while (!closed) {
            try {
                serve(listener.accept());
            } catch (SystemCallException failed) {
                if (failed.errno() == EBADF || failed.errno() == EINVAL) {
                    return;
                }
                LOG.warn("A client at {} is not accepted: {}", listener.path(), failed.getMessage());
                pause();
            } catch (Throwable wrong) {
                // an Error too, as where no thread can be started: it costs that one client its connection
                LOG.warn("A client at {} is not accepted: {}", listener.path(), wrong.toString());
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

    private void serve(UnixSocket client) {
        clients.add(client);
        if (closed || clients.size() > MOST_CLIENTS) {
            leave(client);
            return;
        }
        boolean begun = false;
        try {
            threads.newThread(() -> talk(client)).start();
            begun = true;
        } finally {
            if (!begun) {
                leave(client);
            }
        }
    }

    private void talk(UnixSocket client) {
        byte[] command = new byte[LONGEST_COMMAND];
        try {
            client.sendLimit(SEND_MILLIS);
            send(client, answers.greeting());
            while (true) {
                int length = client.receive(command, 0, command.length);
                if (length < 0) {
                    return;
                }
                send(client, answers.of(new String(command, 0, length, StandardCharsets.UTF_8)));
            }
        } catch (SystemCallException gone) {
            LOG.debug("A client at {} has gone: {}", listener.path(), gone.getMessage());
        } catch (RuntimeException wrong) {
            LOG.warn("A client at {} is left: {}", listener.path(), wrong.toString());
        } finally {
            leave(client);
        }
    }

    private static void send(UnixSocket client, String answer) throws SystemCallException {
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        client.send(bytes, 0, bytes.length);
    }

    private void leave(UnixSocket client) {
        client.close();
        clients.remove(client);
    }

    public Path path() {
        return listener.path();
    }

    /** All clients are left, and the socket goes. */
    @Override
    public void close() {
        closed = true;
        listener.close();
        clients.forEach(UnixSocket::close);
    }
}
