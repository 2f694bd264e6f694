package io.manafold.rdma.internal.connection;

import io.manafold.roce.cm.CmAddresses;
import io.manafold.roce.cm.CmReject.Reason;
import io.manafold.roce.cm.CmRequest;

/** What a request for a connection has to be, whichever port it is for. */
final class RequestRules {
    private static final int RELIABLE = 0;

    private RequestRules() {
    }

    /** Why a request cannot be one; {@code null} if it can. */
    static Reason judge(Link link, AddressPair ends, CmRequest request) {
        if (CmAddresses.port(request.serviceId(), CmAddresses.PORTS_TCP) < 0) {
            return Reason.INVALID_SERVICE_ID;
        }
        if (request.transport() != RELIABLE) {
            return Reason.UNSUPPORTED;
        }
        boolean own = request.path().remoteHigh() == ends.local().high() && request.path()
                .remoteLow() == ends.local().low();
        boolean theirs = request.path().localHigh() == ends.remote().high() && request.path()
                .localLow() == ends.remote().low();
        if (!own || !theirs || !link.has(ends.local())) {
            return Reason.INVALID_GID;
        }
        return request.path().mtuCode() < 1 || request.path().mtuCode() > link.mtuCode() ? Reason.INVALID_MTU : null;
    }
}
