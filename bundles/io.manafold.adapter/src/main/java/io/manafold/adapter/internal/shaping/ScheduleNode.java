package io.manafold.adapter.internal.shaping;

import java.util.HashMap;
import java.util.Map;

/** A place in the tree: the vPort, a node, or a queue. Belongs to the agent. */
final class ScheduleNode {
    /** Siblings of one priority, and how far they have come in sharing what there is. */
    static final class Band {
        final int priority;
        private int nodes;
        long clock;

        Band(int priority) {
            this.priority = priority;
        }
    }

    /** A step is as many bytes, times this, by the weight. */
    private static final long SCALE = 1L << 32;
    /** Longer than the longest step: no node is further ahead than that, except after times went round. */
    private static final long FAR = 1L << 50;

    final int scope;
    final int id;
    final Schedule ceiling = Schedule.ceiling();
    final Schedule pledge = Schedule.pledge();
    private Map<Integer, Band> bands;

    ScheduleNode parent;
    private Band band;
    private long weight = 1;

    /** Children that have something to send and may: by priority and share, and those with a guarantee by that. */
    ScheduleHeap shares;
    ScheduleHeap pledges;
    /** Where it is in heaps, by their kind; −1 for nowhere. */
    final int[] places = {-1, -1, -1};
    /** Children that have something to send; 1 for a queue that has. */
    int waiting;
    /** Its ceiling holds it, and it waits in the heap of times. */
    boolean held;
    long heldSince;
    /** When its turn is, among those of its band. */
    long tag;
    /** Whether it is served for its guarantee. */
    boolean pledged;

    long sentPackets;
    long sentBytes;
    long heldNanos;
    long dropped;
    /** What waits in the rings below it, summed up at the question with that number. */
    long queued;
    long question;

    ScheduleNode(int scope, int id) {
        this.scope = scope;
        this.id = id;
    }

    /** Puts it below another, or takes it out with {@code null}. Nothing of it is in a heap then. */
    void place(ScheduleNode below, int priority) {
        if (band != null && --band.nodes == 0) {
            parent.bands.remove(band.priority);
        }
        parent = below;
        band = null;
        if (below != null) {
            below.beginChildren();
            band = below.bands.computeIfAbsent(priority, Band::new);
            band.nodes++;
            tag = band.clock;
        }
    }

    private void beginChildren() {
        if (bands == null) {
            bands = new HashMap<>();
            shares = new ScheduleHeap(ScheduleHeap.SHARE);
            pledges = new ScheduleHeap(ScheduleHeap.PLEDGE);
        }
    }

    /** 0 counts as 1; unsigned. */
    void weigh(int value) {
        weight = Math.max(1, Integer.toUnsignedLong(value));
    }

    int priority() {
        return band.priority;
    }

    boolean isIn(int heap) {
        return places[heap] >= 0;
    }

    /** Whether it has something to send and may, as far as it is concerned. */
    boolean isOpen() {
        return waiting > 0 && !held && (shares == null || !shares.isEmpty());
    }

    /** How long its ceiling has held back what it had to send; a hold counts while it lasts. */
    long heldNanos(long now) {
        return held ? heldNanos + now - heldSince : heldNanos;
    }

    /** It wants its share again; what others got meanwhile it does not get afterwards. */
    void join() {
        long ahead = tag - band.clock;
        if (ahead < 0 || ahead > FAR) {
            tag = band.clock;
        }
    }

    /** It got some of its share. */
    void share(long bytes) {
        band.clock = tag;
        tag += bytes * SCALE / weight;
    }
}
