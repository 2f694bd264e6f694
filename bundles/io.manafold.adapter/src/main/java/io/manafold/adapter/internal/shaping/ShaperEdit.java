package io.manafold.adapter.internal.shaping;

import io.manafold.gdma.message.ShaperValues;

/**
 * What the agent changes of one knot; made by the control agent.
 *
 * @param below what the knot is put below; {@code null} for the vPort, and for a node that leaves the tree
 * @param values what its driver has said, or {@code null} for nothing
 * @param anew whether what it has done is forgotten
 */
record ShaperEdit(Knot knot, Knot below, ShaperValues values, boolean anew) {
    /** On the agent; the knot is in no heap. */
    void apply(long now) {
        if (below == null && knot.scope == ShaperValues.NODE) {
            knot.place(null, 0);
            return;
        }
        boolean packets = values != null && values.metric() == 1;
        knot.ceiling.set(values == null ? 0 : values.bwMax(), packets, values == null ? 0 : values.burst(), now);
        if (below != null) {
            knot.pledge.set(values == null ? 0 : values.bwMin(), packets, 0, now);
            knot.weigh(values == null ? 0 : values.weight());
        }
        knot.place(below, values == null ? 0 : values.priority());
        if (anew) {
            knot.sentPackets = 0;
            knot.sentBytes = 0;
            knot.heldNanos = 0;
            knot.dropped = 0;
        }
    }
}
