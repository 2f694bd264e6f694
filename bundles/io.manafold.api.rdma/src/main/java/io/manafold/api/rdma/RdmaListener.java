package io.manafold.api.rdma;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** Where requests for connections come in. Any thread may call. */
@ProviderType
public interface RdmaListener extends AutoCloseable {
    /** Where it listens, with the port that was found if none was given. */
    InetSocketAddress local();

    /**
     * The next request; empty if none has come within the time.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EBADF} once it is closed
     */
    Optional<ConnectionRequest> next(Duration limit) throws InterruptedException;

    /**
     * Has each request unpark a thread, as {@link CompletionQueue#unpark}.
     *
     * @param waiter {@code null} for none any more
     */
    void unpark(Thread waiter);

    /** How many requests were rejected because as many as the backlog allows were waiting. */
    long refused();

    /** Listens no more; requests that wait for an answer are rejected. */
    @Override
    void close();
}
