package io.manafold.api.rdma;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Spreads the packets of a port to receive work queues. Closing ends that: no packet comes any more when that returns.
 */
@ProviderType
public interface RssQueuePair extends AutoCloseable {
    /** How they are spread. */
    RssPlan plan();

    /**
     * Spreads them in another way from now on, packets that have come aside.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for a plan that the device cannot follow
     */
    void change(RssPlan plan);

    @Override
    void close();
}
