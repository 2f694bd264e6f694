package io.manafold.api.rdma;

import java.net.InetSocketAddress;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A peer wants a connection. The peer is told that the answer takes a moment; a request that gets none within about a
 * minute is given up, as the peer gives it up. Any thread may call.
 */
@ProviderType
public interface ConnectionRequest {
    /** The name of the device that it came to, and that a queue pair for it has to be of. */
    String device();

    InetSocketAddress local();

    InetSocketAddress remote();

    /** What the peer sent along, {@link ConnectionPlan#REQUEST_BYTES} long, with zeroes behind what it said. */
    byte[] privateData();

    /** Reads that the peer answers at a time. */
    int peerInboundReads();

    /** Reads that the peer asks at a time. */
    int peerOutboundReads();

    /**
     * Accepts it: the pair goes to RTS before this returns, and the peer is answered. Messages of the peer may arrive
     * from then on; sends are for after {@link ConnectionEvent.Type#ESTABLISHED}.
     *
     * @param pair of {@link #device}, in the state {@link QueuePairState#RESET} or {@link QueuePairState#INIT}; with
     *     receives posted, if the peer sends first
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for a pair in another state, of another device,
     *     or more private data than {@link ConnectionPlan#REPLY_BYTES}; {@code EISCONN} if it has a connection,
     *     {@code EBUSY} if it had one a moment ago; {@code ETIMEDOUT} if the peer has given up; {@code EBADF} if the
     *     request was answered, {@code ENODEV} when the device has gone
     */
    RdmaConnection accept(QueuePair pair, ConnectionPlan plan);

    /**
     * Rejects it; the peer learns that its request was refused by this end.
     *
     * @param privateData at most {@link ConnectionPlan#REJECT_BYTES}
     */
    void reject(byte[] privateData);
}
