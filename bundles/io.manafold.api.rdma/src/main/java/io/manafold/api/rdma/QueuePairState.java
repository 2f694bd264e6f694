package io.manafold.api.rdma;

/** States of a queue pair, by {@link #ordinal} as verbs number them. */
public enum QueuePairState {
    RESET,
    /** Receives may be posted. */
    INIT,
    /** Ready to receive. */
    RTR,
    /** Ready to send. */
    RTS,
    /** Sends drained. */
    SQD,
    /** Sends failed. */
    SQE,
    /** Nothing is carried out; what was posted comes back flushed. */
    ERR
}
