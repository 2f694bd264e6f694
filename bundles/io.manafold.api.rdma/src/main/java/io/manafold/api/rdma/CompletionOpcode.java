package io.manafold.api.rdma;

/** What kind of work has ended. */
public enum CompletionOpcode {
    SEND,
    RDMA_WRITE,
    RDMA_READ,
    RECV,
    /** A receive that the peer's write with immediate has taken. */
    RECV_RDMA_WITH_IMM
}
