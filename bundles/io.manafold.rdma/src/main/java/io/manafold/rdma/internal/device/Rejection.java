package io.manafold.rdma.internal.device;

import io.manafold.roce.cm.CmReject.Reason;
import java.util.Locale;

/** Why peers reject, in words. */
final class Rejection {
    private Rejection() {
    }

    /** Of the number of a reason. */
    static String words(int number) {
        Reason reason = Reason.of(number);
        return reason == null ? "reason " + number : switch (reason) {
            case INVALID_SERVICE_ID -> "no program listens at the port";
            case CONSUMER_DEFINED -> "the program that listens does not want it";
            case STALE_CONNECTION -> "it has not forgotten the last connection of the queue pair; try again in a "
                    + "moment";
            case NO_RESOURCES -> "too many requests wait there, or something else is used up";
            case TIMEOUT -> "it has waited too long for an answer";
            case INVALID_MTU -> "its path MTU is smaller";
            default -> "reason " + reason.number() + ", " + reason.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        };
    }
}
