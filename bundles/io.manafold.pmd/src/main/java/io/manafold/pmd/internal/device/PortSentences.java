package io.manafold.pmd.internal.device;

import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/** What is said of a port: refusals and events. */
record PortSentences(int number, String name) {
    Refusal refusal(Errno errno, String rest) {
        return new Refusal(errno, subject() + rest);
    }

    Refusal refusal(Errno errno, String rest, Refusal cause) {
        return new Refusal(errno, subject() + rest, cause);
    }

    EthDevEvent event(EthDevEvent.Kind kind, String rest) {
        return new EthDevEvent(kind, number, subject() + rest);
    }

    EthDevEvent failure(String side, int queue, String why) {
        return new EthDevEvent(EthDevEvent.Kind.QUEUE_STATE, number, "The " + queue(side, queue)
                + " moves nothing any more: " + why + " Stop and start the port; if it happens again, reset the "
                + "adapter.");
    }

    /** A sentence about the port. */
    String sentence(String rest) {
        return subject() + rest;
    }

    /** What a queue is, within a sentence. */
    String queue(String side, int queue) {
        return side + " queue " + queue + " of port " + number + " (" + name + ")";
    }

    /** Why nothing can be asked of the port. */
    Refusal notHere(PortState state) {
        return switch (state) {
            case RECOVERING -> refusal(Errno.EBUSY,
                    "is recovering from a reset of its device; ask again after recovery_success.");
            case FAILED -> refusal(Errno.ENODEV, "has not come back from a reset of its device; close it.");
            case REMOVED -> refusal(Errno.ENODEV, "has been removed; close it. When its device comes back, it is a new "
                    + "port.");
            default -> refusal(Errno.ENODEV, "has been closed.");
        };
    }

    private String subject() {
        return "Port " + number + " (" + name + ") ";
    }
}
