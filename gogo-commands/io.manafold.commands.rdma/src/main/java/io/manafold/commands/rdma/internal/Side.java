package io.manafold.commands.rdma.internal;

/** What one end does while something is measured, in turns that never wait. Nothing is allocated in a turn. */
interface Side {
    /** Takes what has been completed and has arrived, and sends nothing; false if there was nothing. */
    boolean look();

    /** Does what can be done now; false if there was nothing. */
    boolean turn();

    /** Whether there is nothing left to do. */
    boolean isDone();

    /** Begins nothing more: what is under way ends. */
    void finish();

    /** Messages that have been completed. */
    long completed();
}
