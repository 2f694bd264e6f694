package io.manafold.adapter.internal;

import io.manafold.adapter.internal.rdma.QueuePair;
import io.manafold.adapter.internal.rdma.RcQueuePair;
import io.manafold.adapter.internal.rdma.Traced;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What is remembered of the requests of queue pairs, for a while also of those that have ended. Control agent only. */
final class PairTraces {
    /** As many as ended last are remembered: an error is mostly looked into when its queue pair has been destroyed. */
    private static final int MOST_ENDED = 32;

    private final Deque<Traced> ended = new ArrayDeque<>();

    /** A queue pair has ended, and its agent has done with it. */
    void end(Traced last) {
        if (last.hasAny()) {
            if (ended.size() == MOST_ENDED) {
                ended.removeLast();
            }
            ended.addFirst(last.ended());
        }
    }

    /** All: those that are there, and those that have ended, the last one first. */
    List<Traced> all(Iterable<QueuePair> present) {
        List<Traced> all = new ArrayList<>();
        for (QueuePair pair : present) {
            if (pair instanceof RcQueuePair connected) {
                all.add(connected.traced());
            }
        }
        all.addAll(ended);
        return all;
    }
}
