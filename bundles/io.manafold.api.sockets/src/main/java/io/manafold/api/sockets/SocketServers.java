package io.manafold.api.sockets;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Servers for trying things out, over any transport. A service. Any thread may call. */
@ProviderType
public interface SocketServers {
    /**
     * Begins to listen, on a thread of its own.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EOPNOTSUPP} if there is no such transport, as
     *     {@link TransportChoice} if none has its knobs, {@code ENOENT} and {@code EINVAL} for files that cannot be
     *     sent, and as {@link Sockets#listen}
     */
    SocketServer open(ServerPlan plan);

    /** Those that listen. */
    List<SocketServer> servers();
}
