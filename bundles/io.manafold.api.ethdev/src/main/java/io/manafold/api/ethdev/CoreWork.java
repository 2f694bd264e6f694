package io.manafold.api.ethdev;

import org.osgi.annotation.versioning.ConsumerType;

/** What a core does in turns. */
@ConsumerType
@FunctionalInterface
public interface CoreWork {
    /**
     * A turn: polls each of its queues once. It does not wait, and it allocates nothing.
     *
     * @return how many packets it has moved, 0 if there was nothing to do
     */
    int turn();
}
