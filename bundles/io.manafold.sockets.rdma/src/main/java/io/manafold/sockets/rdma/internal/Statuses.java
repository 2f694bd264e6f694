package io.manafold.sockets.rdma.internal;

import io.manafold.api.rdma.CompletionStatus;
import io.manafold.api.refusal.Errno;

/** What the ends of work mean to a byte stream. */
final class Statuses {
    private Statuses() {
    }

    static Errno errno(CompletionStatus status) {
        return switch (status) {
            case RETRIES_EXCEEDED, RNR_RETRIES_EXCEEDED -> Errno.ETIMEDOUT;
            case LOCAL_LENGTH, REMOTE_INVALID_REQUEST, REMOTE_ACCESS, REMOTE_OPERATION -> Errno.EPROTO;
            default -> Errno.EIO;
        };
    }
}
