package io.manafold.api.ethdev;

import org.osgi.annotation.versioning.ProviderType;

/** Where packets go into a port. For one thread. */
@ProviderType
public interface SendQueue {
    /**
     * Sends packets as far as there is room, with one doorbell. Those are the device's from then on, and go back to
     * their pools when they are sent, which is looked at here alone. A packet that cannot be sent counts as an error
     * and as taken; a number of no pool ends the burst before it. It never waits, and nothing is allocated.
     *
     * @param packets from {@code from} on
     * @return how many were taken, from the first on; the others are still the caller's
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} if the first one is a packet of no pool; none is taken
     */
    int burst(int[] packets, int from, int count);

    /** Has packets that are sent go back to their pools. Returns how many packets are under way. */
    int reclaim();
}
