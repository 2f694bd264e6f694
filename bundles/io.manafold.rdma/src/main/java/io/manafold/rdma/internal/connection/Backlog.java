package io.manafold.rdma.internal.connection;

/** Where requests wait for their listener. Any thread may call; nothing here waits. */
public interface Backlog {
    /** A request has come: it has a place until it leaves. False if there is none. */
    boolean enter();

    /** It can be answered now. */
    void deliver(PassiveSide request);

    /** It was answered or given up. */
    void leave();
}
