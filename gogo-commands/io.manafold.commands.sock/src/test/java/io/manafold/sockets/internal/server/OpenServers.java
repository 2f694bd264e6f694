package io.manafold.sockets.internal.server;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.SocketServers;
import io.manafold.api.sockets.Sockets;

/** Servers over transports, without a platform. */
public final class OpenServers implements AutoCloseable {
    private final Servers servers;

    public OpenServers(MemorySource memory, Sockets... transports) {
        servers = new Servers(memory);
        for (Sockets transport : transports) {
            servers.add(transport);
        }
    }

    public SocketServers servers() {
        return servers;
    }

    @Override
    public void close() {
        servers.stop();
    }
}
