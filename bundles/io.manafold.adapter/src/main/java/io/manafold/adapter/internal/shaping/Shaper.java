package io.manafold.adapter.internal.shaping;

import io.manafold.gdma.message.ShaperValues;
import java.util.Objects;

/**
 * A shaper as its driver has said it, and its place among the others. Belongs to the control agent; the agent knows its
 * node, and has that in its tree only while there is a queue below.
 */
final class Shaper {
    final ScheduleNode node;
    Shaper parent;
    /** What its driver has said; {@code null} for nothing yet. */
    ShaperValues values;
    /** PortShapers right below. */
    int children;
    /** Queues below, itself if it is one. */
    int queues;
    /** Nodes below, one after another. */
    private int height;
    /** Nodes right below, by their heights. */
    private int[] heights;

    /** Where the agent has it, as far as it was told. */
    private ScheduleNode placedBelow;
    private ShaperValues placedAs;
    private boolean forgotten;

    Shaper(int scope, int id) {
        this(new ScheduleNode(scope, id));
    }

    Shaper(ScheduleNode node) {
        this.node = node;
    }

    boolean isTold() {
        return values != null;
    }

    boolean isQueue() {
        return node.scope == ShaperValues.QUEUE;
    }

    int height() {
        return height;
    }

    /** A node right below has another height than before; −1 for none. Whether its own height is another now. */
    boolean raise(int before, int after) {
        if (heights == null) {
            heights = new int[PortShapers.DEPTH + 1];
        }
        if (before >= 0) {
            heights[before]--;
        }
        if (after >= 0) {
            heights[after]++;
        }
        int old = height;
        height = PortShapers.DEPTH + 1;
        while (height > 0 && heights[height - 1] == 0) {
            height--;
        }
        return height != old;
    }

    /** It is as if nothing had ever been said of it. */
    void forget() {
        values = null;
        forgotten = true;
    }

    /** What the agent has to change of it, or {@code null}. */
    ShaperEdit edit() {
        if (queues == 0) {
            boolean there = placedBelow != null;
            placedBelow = null;
            placedAs = null;
            return there ? new ShaperEdit(node, null, null, false) : null;
        }
        ScheduleNode below = parent == null ? null : parent.node;
        if (below == placedBelow && Objects.equals(values, placedAs) && !forgotten) {
            return null;
        }
        boolean anew = forgotten;
        forgotten = false;
        placedBelow = below;
        placedAs = values;
        return new ShaperEdit(node, below, values, anew);
    }

    /** The agent has it there from the beginning. */
    void placed() {
        placedBelow = parent == null ? null : parent.node;
    }
}
