package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.Path;
import io.manafold.gdma.message.SetQpState;

/** Knows what packets on a path carry. */
@FunctionalInterface
public interface Paths {
    /**
     * What packets carry from one queue pair to another.
     *
     * @param port of the own queue pair
     * @param from the number of the own queue pair
     * @param peer that of the peer's
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for an address that the port does not have,
     *     {@code EHOSTUNREACH} if it is not known where the peer is
     */
    SetQpState.Path to(Path path, int port, int from, int peer);
}
