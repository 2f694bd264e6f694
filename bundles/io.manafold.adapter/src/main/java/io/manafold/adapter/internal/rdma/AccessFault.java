package io.manafold.adapter.internal.rdma;

/** What is wrong with memory that a request or a peer names. */
enum AccessFault {
    NO_KEY, OLD_KEY, OTHER_DOMAIN, NO_RIGHT, RANGE, UNREACHABLE
}
