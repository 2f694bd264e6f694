package io.manafold.sockets.internal.uring;

/** Who has requests in the ring: an endpoint or a listener. */
interface Owner {
    /** A request of its has a completion, perhaps one of several. */
    void completed(int kind, int number, int result, int flags);

    /** By {@link System#nanoTime}, of one that waits for its time. */
    long until();

    /** It is that time. */
    void due();
}
