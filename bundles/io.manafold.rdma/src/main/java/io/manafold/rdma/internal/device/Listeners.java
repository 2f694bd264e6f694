package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.Gid;
import io.manafold.rdma.internal.connection.Backlog;

/** Who listens where. Any thread may ask. */
@FunctionalInterface
interface Listeners {
    /** There are none. */
    Listeners NONE = (device, local, port) -> null;

    /** Where a request for a port of an address of a device waits, or {@code null}. */
    Backlog find(VerbsDevice device, Gid local, int port);
}
