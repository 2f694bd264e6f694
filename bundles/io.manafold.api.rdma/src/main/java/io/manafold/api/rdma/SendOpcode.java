package io.manafold.api.rdma;

/** What a request asks for. */
public enum SendOpcode {
    SEND,
    SEND_WITH_IMM,
    SEND_WITH_INV,
    RDMA_WRITE,
    RDMA_WRITE_WITH_IMM,
    RDMA_READ,
    /** No device carries it out. */
    ATOMIC_CMP_AND_SWP,
    /** No device carries it out. */
    ATOMIC_FETCH_AND_ADD
}
