package io.manafold.api.rdma;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** A connection of a queue pair, from the request to the end. Any thread may call. */
@ProviderType
public interface RdmaConnection extends AutoCloseable {
    /** How far it is. */
    ConnectionState state();

    QueuePair pair();

    InetSocketAddress local();

    InetSocketAddress remote();

    /** The next event, in their order; empty if none has come within the time. */
    Optional<ConnectionEvent> next(Duration limit) throws InterruptedException;

    /**
     * Has each event unpark a thread, as {@link CompletionQueue#unpark}.
     *
     * @param waiter {@code null} for none any more
     */
    void unpark(Thread waiter);

    /**
     * Waits until it is established, and takes the event of that.
     *
     * @return the event, with what the peer sent along
     * @throws Refusal with the errno and sentence of the event that came instead, {@code ECONNRESET} if a user has
     *     ended the connection; {@code ETIMEDOUT} if none has come within the time
     */
    default ConnectionEvent established(Duration limit) throws InterruptedException {
        ConnectionEvent event = next(limit).orElseThrow(() -> new Refusal(Errno.ETIMEDOUT, "The connection to "
                + remote().getAddress().getHostAddress() + " was not established within " + limit.toMillis()
                + " ms; wait longer, or close it."));
        if (event.type() != ConnectionEvent.Type.ESTABLISHED) {
            throw new Refusal(event.errno() == null ? Errno.ECONNRESET : event.errno(), event.sentence());
        }
        return event;
    }

    /**
     * Begins to end it: the pair goes to ERR, so that what was posted comes back flushed, and the peer is told. Returns
     * at once; {@link ConnectionEvent.Type#DISCONNECTED} comes when the peer has answered, or did not. Of one that has
     * ended it does nothing.
     */
    void disconnect();

    /**
     * Disconnects. The pair stays the user's to close. If it is reset to be connected again, the next request waits
     * about a second, for late packets of this connection to be gone; a request of a peer is better accepted with
     * another pair.
     */
    @Override
    void close();
}
