package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.ConnectionRequest;
import io.manafold.api.refusal.Refusal;

/** Requests for connections that were taken and cannot be served: the peer hears so at once and waits no longer. */
final class Unserved {
    private Unserved() {
    }

    /** Rejects a request, unless it has been answered. */
    static void reject(ConnectionRequest request) {
        try {
            request.reject(new byte[0]);
        } catch (Refusal answered) {
            // it was accepted or rejected before
        }
    }
}
