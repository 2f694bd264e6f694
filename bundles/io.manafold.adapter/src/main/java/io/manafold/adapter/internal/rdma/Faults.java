package io.manafold.adapter.internal.rdma;

import io.manafold.gdma.VendorError;
import io.manafold.roce.Requester;

/** Which error a driver is told of. */
final class Faults {
    private Faults() {
    }

    /** Of memory that a request of the driver sends, or reads into. */
    static VendorError ofSend(AccessFault fault) {
        return switch (fault) {
            case NO_KEY -> VendorError.KEY_MISSING;
            case OLD_KEY -> VendorError.KEY_STALE;
            case OTHER_DOMAIN -> VendorError.KEY_DOMAIN;
            case NO_RIGHT -> VendorError.KEY_RIGHT;
            case RANGE -> VendorError.SEND_RANGE;
            case UNREACHABLE -> VendorError.DATA_NOT_READ;
        };
    }

    /** Of memory that a receive of the driver names. */
    static VendorError ofReceive(AccessFault fault) {
        return switch (fault) {
            case NO_RIGHT -> VendorError.RECEIVE_RIGHT;
            case RANGE -> VendorError.RECEIVE_RANGE;
            default -> VendorError.RECEIVE_CONFIGURATION;
        };
    }

    /** Of memory that a peer names. */
    static VendorError ofRemote(AccessFault fault) {
        return switch (fault) {
            case NO_RIGHT -> VendorError.PEER_KEY_RIGHT;
            case RANGE -> VendorError.PEER_KEY_RANGE;
            default -> VendorError.PEER_KEY_CONFIGURATION;
        };
    }

    /** Of a {@link Requester#failure}. */
    static VendorError ofRequester(int failure) {
        return switch (failure) {
            case Requester.RETRIES -> VendorError.RETRIES_EXCEEDED;
            case Requester.RNR_RETRIES -> VendorError.RNR_RETRIES_EXCEEDED;
            case Requester.REMOTE_INVALID -> VendorError.REMOTE_REQUEST_INVALID;
            case Requester.REMOTE_ACCESS -> VendorError.REMOTE_ACCESS_DENIED;
            case Requester.REMOTE_OPERATION -> VendorError.REMOTE_OPERATION_FAILED;
            case Requester.BAD_RESPONSE -> VendorError.READ_LENGTH;
            default -> VendorError.DATA_NOT_READ;
        };
    }
}
