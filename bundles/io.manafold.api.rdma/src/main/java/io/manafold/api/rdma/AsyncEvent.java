package io.manafold.api.rdma;

/**
 * Something happened to an object by itself.
 *
 * @param number of the queue pair or receive work queue; 0 if it is about something else
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
        DEVICE_FATAL
    }
}
