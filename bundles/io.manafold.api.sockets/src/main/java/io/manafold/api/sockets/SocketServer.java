package io.manafold.api.sockets;

import org.osgi.annotation.versioning.ProviderType;

/** A server for trying things out. Any thread may call. */
@ProviderType
public interface SocketServer extends AutoCloseable {
    ServerPlan plan();

    /** Where it listens; its name is the server's too. */
    ListenerState listener();

    /** How many connections it serves at the moment. */
    int connections();

    /** Ends it and its connections. A second time does nothing. */
    @Override
    void close();
}
