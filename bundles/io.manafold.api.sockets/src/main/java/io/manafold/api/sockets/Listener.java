package io.manafold.api.sockets;

import java.net.InetSocketAddress;
import org.osgi.annotation.versioning.ProviderType;

/** Where connections come in. Any thread may call. */
@ProviderType
public interface Listener extends AutoCloseable {
    /** For people, unlike all others. */
    String name();

    /** Where it listens, with the port that was found if none was given. */
    InetSocketAddress local();

    /** How it is at the moment. */
    ListenerState state();

    /**
     * Listens no more, which a completion of {@link Operation#CLOSE} says. Connections that have come stay. A second
     * time does nothing.
     */
    @Override
    void close();
}
