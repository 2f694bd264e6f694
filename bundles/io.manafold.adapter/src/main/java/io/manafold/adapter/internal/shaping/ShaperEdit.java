package io.manafold.adapter.internal.shaping;

import io.manafold.gdma.message.ShaperValues;

/**
 * What the agent changes of one node; made by the control agent.
 *
 * @param below what the node is put below; {@code null} for the vPort, and for a node that leaves the tree
 * @param values what its driver has said, or {@code null} for nothing
 * @param anew whether what it has done is forgotten
 */
record ShaperEdit(ScheduleNode node, ScheduleNode below, ShaperValues values, boolean anew) {
    /** On the agent; the node is in no heap. */
    void apply(long now) {
        if (below == null && node.scope == ShaperValues.NODE) {
            node.place(null, 0);
            return;
        }
        boolean packets = values != null && values.metric() == 1;
        node.ceiling.set(values == null ? 0 : values.bwMax(), packets, values == null ? 0 : values.burst(), now);
        if (below != null) {
            node.pledge.set(values == null ? 0 : values.bwMin(), packets, 0, now);
            node.weigh(values == null ? 0 : values.weight());
        }
        node.place(below, values == null ? 0 : values.priority());
        if (anew) {
            node.sentPackets = 0;
            node.sentBytes = 0;
            node.heldNanos = 0;
            node.dropped = 0;
        }
    }
}
