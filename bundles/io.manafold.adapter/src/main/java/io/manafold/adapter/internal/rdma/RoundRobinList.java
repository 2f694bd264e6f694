package io.manafold.adapter.internal.rdma;

/** Queue pairs that have something to do, in the order of their turns. For one thread. */
final class RoundRobinList {
    private QueuePair first;
    private QueuePair last;

    boolean isEmpty() {
        return first == null;
    }

    /** Adds a queue pair at the end, unless it waits already, here or in another list. */
    void add(QueuePair pair) {
        if (pair.turns != null) {
            return;
        }
        pair.turns = this;
        pair.nextTurn = null;
        if (first == null) {
            first = pair;
        } else {
            last.nextTurn = pair;
        }
        last = pair;
    }

    QueuePair take() {
        QueuePair pair = first;
        if (pair != null) {
            first = pair.nextTurn;
            pair.nextTurn = null;
            pair.turns = null;
        }
        return pair;
    }

    void clear() {
        while (!isEmpty()) {
            take();
        }
    }

    /** Adds all of another list, which is empty then. */
    void addAll(RoundRobinList others) {
        for (QueuePair pair = others.take(); pair != null; pair = others.take()) {
            add(pair);
        }
    }

    /** Takes a queue pair out that is in it. */
    void remove(QueuePair pair) {
        QueuePair before = null;
        for (QueuePair at = first; at != pair; at = at.nextTurn) {
            before = at;
        }
        if (before == null) {
            first = pair.nextTurn;
        } else {
            before.nextTurn = pair.nextTurn;
        }
        if (last == pair) {
            last = before;
        }
        pair.nextTurn = null;
        pair.turns = null;
    }
}
