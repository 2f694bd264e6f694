package io.manafold.api.rdma;

import org.osgi.annotation.versioning.ProviderType;

/**
 * A protection domain together with a port of an Ethernet device: queue pairs for {@link QueuePairType#RAW_PACKET} and
 * receive work queues are made in it. Memory is registered in the domain below as well as here.
 *
 * <p>The first queue takes the port, and the last one to be closed gives it back: in between the network device of the
 * port stays down, and queues of that port are made in this domain alone.
 */
@ProviderType
public interface ParentDomain extends ProtectionDomain {
    /** The port that it names, from 1. */
    int port();

    /**
     * Makes a receive work queue. Packets come when a {@link RssQueuePair} spreads to it.
     *
     * @param queue for its completions alone
     * @param receives that may be outstanding
     * @param pieces of memory of a receive
     * @throws io.manafold.api.refusal.Refusal {@code EBUSY} if the network device of the port is up or others have the
     *     port, {@code EINVAL} for limits that the device does not have and for a completion queue of others or in use
     */
    ReceiveWorkQueue createReceiveWorkQueue(CompletionQueue queue, int receives, int pieces);

    /**
     * Has the packets of the port go to receive work queues of this domain, from now on.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EBUSY} if there is such a pair already, {@code EINVAL} for a plan
     *     that the device cannot follow, {@code EOPNOTSUPP} for a choice of fields to be hashed
     */
    RssQueuePair createRssQueuePair(RssPlan plan);
}
