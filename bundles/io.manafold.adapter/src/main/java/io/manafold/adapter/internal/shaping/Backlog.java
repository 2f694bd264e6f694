package io.manafold.adapter.internal.shaping;

import java.util.function.IntUnaryOperator;

/** What waits in rings, added up for all that are above a queue. Belongs to the agent. */
final class Backlog {
    private long questions;

    /** Adds it up anew; a node that no queue is below is not looked at. */
    void add(SendTree tree, IntUnaryOperator waiting) {
        questions++;
        for (int slot = 0; slot < tree.places(); slot++) {
            long waits = waiting.applyAsInt(slot);
            for (ScheduleNode node = tree.leaf(slot); node != null; node = node.parent) {
                tree.visited++;
                node.queued = waits + of(node);
                node.question = questions;
            }
        }
    }

    /** What waits below a node, as it was added up last. */
    long of(ScheduleNode node) {
        return node.question == questions ? node.queued : 0;
    }
}
