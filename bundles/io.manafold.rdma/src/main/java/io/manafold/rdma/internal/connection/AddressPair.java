package io.manafold.rdma.internal.connection;

import io.manafold.api.rdma.Gid;

/** The addresses of both ends of a connection. */
public record AddressPair(Gid local, Gid remote) {
}
