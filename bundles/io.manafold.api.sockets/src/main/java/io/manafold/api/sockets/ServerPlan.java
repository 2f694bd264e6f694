package io.manafold.api.sockets;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Objects;

/**
 * What a server does.
 *
 * @param transport of {@link Sockets#transport}; {@code null} for the one that suits its knobs, {@link TransportChoice}
 * @param file of {@link Work#FILE}, {@code null} otherwise
 */
public record ServerPlan(String transport, InetSocketAddress local, Work work, Path file, Knobs knobs) {
    public ServerPlan {
        Objects.requireNonNull(local);
        Objects.requireNonNull(work);
        Objects.requireNonNull(knobs);
    }

    public ServerPlan over(String newTransport) {
        return new ServerPlan(newTransport, local, work, file, knobs);
    }

    /** What it does with each connection. */
    public enum Work {
        /** Sends back what comes. */
        ECHO,
        /** Takes all that comes. */
        SINK,
        /** Sends without end, the bytes 0 to 255 again and again. */
        SOURCE,
        /** Sends a file, and no more. */
        FILE
    }
}
