package io.manafold.adapter.internal.rdma;

/** What an engine has another one do on that one's agent. It is used again when that is done. */
final class Handoff {
    final HandoffQueue origin;
    QueuePair pair;
    /** Where an entry of the queue pair goes; {@code null} if its completion queue has vanished. */
    RdmaCompletions completions;
    long first;
    long second;
    long third;
    int workQueue;
    boolean send;
    Handoff next;

    Handoff(HandoffQueue origin) {
        this.origin = origin;
    }

    void isOf(QueuePair its, RdmaCompletions to) {
        pair = its;
        completions = to;
    }
}
