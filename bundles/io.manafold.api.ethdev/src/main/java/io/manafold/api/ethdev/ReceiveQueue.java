package io.manafold.api.ethdev;

import org.osgi.annotation.versioning.ProviderType;

/** Where packets come out of a port. For one thread. */
@ProviderType
public interface ReceiveQueue {
    /**
     * Takes packets that have come, which are the caller's from then on. It never waits, and nothing is allocated.
     * Packets of the queue's pool take their places; where the pool has none, fewer can come until it has.
     *
     * @param packets are put here from {@code from} on
     * @param most at most so many
     * @return how many there are; 0 as well when the port is not started or its device has gone
     */
    int burst(int[] packets, int from, int most);

    /**
     * Has the next packet end an {@link #await}; one that is there already does so at once.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EOPNOTSUPP} if the port is not configured for it
     */
    void arm();

    /**
     * Waits until there may be a packet, after {@link #arm}. While the port is not started, or recovers, it waits for
     * that to end. A wait for a port that is removed, closed, or does not recover ends at once.
     *
     * @return false if the time has passed
     * @throws io.manafold.api.refusal.Refusal {@code EOPNOTSUPP} as {@link #arm}; {@code ENODEV} once the port has gone
     *     for good, with what became of it
     */
    boolean await(long nanos) throws InterruptedException;
}
