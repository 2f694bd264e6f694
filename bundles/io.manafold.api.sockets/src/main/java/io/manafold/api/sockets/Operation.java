package io.manafold.api.sockets;

/** What a completion is of. */
public enum Operation {
    /** The connection is there, or it could not be made. */
    CONNECT,
    /** A connection has come, or none can be taken for a while. */
    ACCEPT,
    /** A send: {@link Completions#ACCEPTED}, {@link Completions#FREE}, or both at once. */
    SEND,
    /** Data has come, into the range that was posted or into a pool; of length 0 the peer sends no more. */
    RECEIVE,
    /** All that was posted before {@link Endpoint#finish} has left, and the peer will see the end of the stream. */
    FINISH,
    /** The endpoint is closed, or the listener, of which there is no endpoint; nothing more comes of it. */
    CLOSE
}
