package io.manafold.adapter.internal.shaping;

import java.util.function.IntUnaryOperator;

/** What waits in rings, added up for all that are above a queue. Belongs to the agent. */
final class Backlog {
    private long questions;

    /** Adds it up anew; a knot that no queue is below is not looked at. */
    void add(SendTree tree, IntUnaryOperator waiting) {
        questions++;
        for (int slot = 0; slot < tree.places(); slot++) {
            long waits = waiting.applyAsInt(slot);
            for (Knot knot = tree.leaf(slot); knot != null; knot = knot.parent) {
                tree.visited++;
                knot.queued = waits + of(knot);
                knot.question = questions;
            }
        }
    }

    /** What waits below a knot, as it was added up last. */
    long of(Knot knot) {
        return knot.question == questions ? knot.queued : 0;
    }
}
