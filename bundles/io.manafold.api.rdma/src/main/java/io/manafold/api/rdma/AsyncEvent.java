package io.manafold.api.rdma;

/**
 * Something happened to an object, or to a port, by itself. A port is looked at five times a second: of what comes and
 * goes in between nothing is told.
 *
 * @param number of the queue pair, receive work queue or port; 0 if it is about something else
 * @param sentence what happened, for people
 */
public record AsyncEvent(Type type, int number, String sentence) {
    /** What it is about. */
    public enum Type {
        /** A queue pair has failed. */
        QP_FATAL,
        /** A receive work queue has failed. */
        WQ_FATAL,
        /** A completion queue cannot be used any more. */
        CQ_ERR,
        /** The device has gone. */
        DEVICE_FATAL,
        /** A port sends and receives again. */
        PORT_ACTIVE,
        /** A port neither sends nor receives any more: its network device is down, or has no carrier. */
        PORT_ERR,
        /** A port has other addresses than before. */
        GID_CHANGE
    }
}
