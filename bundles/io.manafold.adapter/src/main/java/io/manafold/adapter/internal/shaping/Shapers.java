package io.manafold.adapter.internal.shaping;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.message.QueryShaperStatistics;
import io.manafold.gdma.message.ShaperValues;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * The shapers of a vPort, as its driver has said them: checks what it says, then changes the tree, all of it or
 * nothing. Belongs to the agent.
 */
public final class Shapers {
    /** Of a vPort. */
    public static final int MOST = 16384;
    /** Nodes above a queue. */
    public static final int DEPTH = 16;
    public static final int LAST_NODE = 0x3ff_fffe;
    /** Bits per second; more is not kept apart from this. */
    public static final long MOST_RATE = Schedule.MOST_RATE;
    /** What a ceiling without a burst may make up for. */
    public static final long USUAL_BURST_NANOS = Schedule.LATE_NANOS;

    private final ShaperTree tree;
    private final TreeMap<Integer, Knot> nodes = new TreeMap<>();
    private int told;

    /** @param queues that the vPort can have */
    public Shapers(int queues) {
        tree = new ShaperTree(queues);
    }

    /** Whether nobody has said anything: then there is nothing to be kept to. */
    public boolean isEmpty() {
        return told == 0;
    }

    public int count() {
        return told;
    }

    /** For whoever sends. */
    public ShaperTree tree() {
        return tree;
    }

    /** Makes a shaper what it shall be. */
    public void set(ShaperValues values, long now) {
        Knot knot = find(values.scope(), values.id());
        Knot parent = parent(values);
        checkRoom(knot == null || !knot.told ? 1 : 0);
        if (parent != null) {
            checkPlace(knot, parent);
        }
        put(values, parent, now);
    }

    /** Puts shapers below a node, or below the vPort. */
    public void group(ShaperValues node, List<ShaperValues> leaves, long now) {
        if (node.scope() == ShaperValues.QUEUE) {
            throw wrong("shapers are put below a node or the vPort, not below a queue");
        }
        Knot knot = find(node.scope(), node.id());
        Knot parent = parent(node);
        int fresh = knot == null || !knot.told ? 1 : 0;
        int height = 0;
        for (ShaperValues leaf : leaves) {
            checkMetric(leaf);
            Knot below = find(leaf.scope(), leaf.id());
            if (leaf.scope() == ShaperValues.NETDEV) {
                throw wrong("the vPort is below nothing");
            }
            if (leaf.scope() == ShaperValues.NODE) {
                if (leaf.id() == node.id() && node.scope() == ShaperValues.NODE || isAbove(below, parent)) {
                    throw wrong("node " + leaf.id() + " would be below itself");
                }
                height = Math.max(height, 1 + height(below));
            }
            fresh += below == null || !below.told ? 1 : 0;
        }
        checkRoom(fresh);
        if (parent != null) {
            checkPlace(knot, parent);
        }
        checkDepth((parent == null ? 0 : depth(parent) + 1) + height);
        Knot top = put(node, parent, now);
        for (ShaperValues leaf : leaves) {
            put(leaf, top, now);
        }
    }

    /** Takes one away. A queue is below the vPort then, as if nobody had ever said anything. */
    public void delete(int scope, int id, long now) {
        Knot knot = find(scope, id);
        if (knot == null || !knot.told) {
            throw new Refusal(Errno.ENOENT, "the shaper " + scope + ":" + Integer.toUnsignedString(id)
                    + " is not there");
        }
        if (scope == ShaperValues.NODE && knot.children > 0) {
            throw new Refusal(Errno.EBUSY, "node " + id + " has " + knot.children + " shapers below it");
        }
        tree.detach(knot, now);
        forget(knot, now);
        if (scope == ShaperValues.NODE) {
            knot.place(null, 0);
            nodes.remove(id);
        } else {
            tree.attach(knot, now);
        }
        if (told == 0) {
            tree.rest(now);
        }
    }

    private void forget(Knot knot, long now) {
        knot.told = false;
        told--;
        knot.ceiling.set(0, false, 0, now);
        knot.pledge.set(0, false, 0, now);
        knot.weigh(0);
        knot.sentPackets = 0;
        knot.sentBytes = 0;
        knot.heldNanos = 0;
        knot.dropped = 0;
        if (knot.scope == ShaperValues.QUEUE) {
            knot.place(tree.root, 0);
        }
    }

    /** Takes all away, and the queues' names. */
    public void clear(long now) {
        tree.rest(now);
        for (int i = 0; i < tree.places(); i++) {
            if (tree.queue(i).told) {
                forget(tree.queue(i), now);
            }
        }
        nodes.values().forEach(node -> node.place(null, 0));
        nodes.clear();
        if (tree.root.told) {
            forget(tree.root, now);
        }
        told = 0;
        tree.unname();
    }

    /** Says which queues are at which places: a number for each, −1 for none. */
    public void name(int[] numbers, long now) {
        tree.name(numbers, now);
    }

    /**
     * What they have done.
     *
     * @param queued what waits in the queue at a place
     * @param now counts what is being held at this moment as well
     */
    public List<QueryShaperStatistics.Entry> statistics(int scope, int id, IntUnaryOperator queued, long now) {
        long first = key(scope, id);
        tree.root.queued = 0;
        nodes.values().forEach(node -> node.queued = 0);
        for (int slot = 0; slot < tree.places(); slot++) {
            tree.leaf(slot).queued = 0;
            long waits = queued.applyAsInt(slot);
            for (Knot knot = tree.leaf(slot); knot != null; knot = knot.parent) {
                knot.queued += waits;
            }
        }
        List<QueryShaperStatistics.Entry> entries = new ArrayList<>();
        add(tree.root, first, now, entries);
        for (int i = 0; i < tree.places(); i++) {
            add(tree.queue(i), first, now, entries);
        }
        // scopes are in order, so from here on only nodes count
        int from = first <= key(ShaperValues.NODE, 0) ? 0 : scope > ShaperValues.NODE || id < 0 ? -1 : id;
        if (from >= 0) {
            for (Knot node : nodes.tailMap(from, true).values()) {
                if (entries.size() == QueryShaperStatistics.MOST) {
                    break;
                }
                add(node, first, now, entries);
            }
        }
        return entries;
    }

    private static long key(int scope, int id) {
        return Integer.toUnsignedLong(scope) << 32 | Integer.toUnsignedLong(id);
    }

    private static void add(Knot knot, long first, long now, List<QueryShaperStatistics.Entry> entries) {
        if (knot.told && key(knot.scope, knot.id) >= first && entries.size() < QueryShaperStatistics.MOST) {
            entries.add(new QueryShaperStatistics.Entry(knot.scope, knot.id, knot.sentPackets, knot.sentBytes,
                    knot.heldNanos(now), knot.queued, knot.dropped));
        }
    }

    // ---- what can be

    private Knot find(int scope, int id) {
        switch (scope) {
            case ShaperValues.NETDEV -> {
                if (id != 0) {
                    throw wrong("there is one shaper of the vPort, 0, not " + Integer.toUnsignedString(id));
                }
                return tree.root;
            }
            case ShaperValues.QUEUE -> {
                if (id < 0 || id >= tree.places()) {
                    throw new Refusal(Errno.ENOENT, "the vPort can have " + tree.places() + " queues and no queue "
                            + Integer.toUnsignedString(id));
                }
                return tree.queue(id);
            }
            case ShaperValues.NODE -> {
                if (id < 0 || id > LAST_NODE) {
                    throw wrong("the number of a node is at most " + LAST_NODE + ", not "
                            + Integer.toUnsignedString(id));
                }
                return nodes.get(id);
            }
            default -> throw wrong("scopes are 1 for the vPort, 2 for queues and 3 for nodes, not "
                    + Integer.toUnsignedString(scope));
        }
    }

    /** What it shall be below; {@code null} for the vPort. */
    private Knot parent(ShaperValues values) {
        checkMetric(values);
        if (values.scope() == ShaperValues.NETDEV) {
            return null;
        }
        if (values.parentScope() == 0 || values.parentScope() == ShaperValues.NETDEV) {
            return tree.root;
        }
        if (values.parentScope() != ShaperValues.NODE) {
            throw wrong("shapers are put below a node or the vPort, not below scope "
                    + Integer.toUnsignedString(values.parentScope()));
        }
        Knot parent = find(ShaperValues.NODE, values.parentId());
        if (parent == null) {
            throw new Refusal(Errno.ENOENT, "node " + values.parentId() + " is not there");
        }
        return parent;
    }

    private static void checkMetric(ShaperValues values) {
        if (values.metric() != 0 && values.metric() != 1) {
            throw wrong("a metric is 0 for bits or 1 for packets, not " + Integer.toUnsignedString(values.metric()));
        }
    }

    private void checkRoom(int more) {
        if (told + more > MOST) {
            throw new Refusal(Errno.ENOSPC, "a vPort has at most " + MOST + " shapers");
        }
    }

    private void checkPlace(Knot knot, Knot parent) {
        if (knot != null && isAbove(knot, parent)) {
            throw wrong("node " + knot.id + " would be below itself");
        }
        boolean queue = knot != null && knot.scope == ShaperValues.QUEUE;
        checkDepth(depth(parent) + (queue ? 0 : 1 + (knot == null || knot.parent == parent ? 0 : height(knot))));
    }

    private static void checkDepth(int depth) {
        if (depth > DEPTH) {
            throw new Refusal(Errno.ENOSPC, "there are at most " + DEPTH + " nodes above a queue");
        }
    }

    private static boolean isAbove(Knot knot, Knot other) {
        for (Knot up = other; up != null; up = up.parent) {
            if (up == knot) {
                return true;
            }
        }
        return false;
    }

    /** Nodes from the vPort down to it. */
    private static int depth(Knot knot) {
        int depth = 0;
        for (Knot up = knot; up.parent != null; up = up.parent) {
            depth++;
        }
        return depth;
    }

    /** Nodes below it, one after another. */
    private int height(Knot knot) {
        if (knot == null || knot.children == 0) {
            return 0;
        }
        int own = depth(knot);
        return nodes.values().stream().filter(node -> isAbove(knot, node)).mapToInt(node -> depth(node) - own).max()
                .orElse(0);
    }

    private static Refusal wrong(String rule) {
        return new Refusal(Errno.EINVAL, rule);
    }

    private Knot put(ShaperValues values, Knot parent, long now) {
        Knot knot = find(values.scope(), values.id());
        if (knot == null) {
            knot = new Knot(values.scope(), values.id());
            nodes.put(values.id(), knot);
        }
        tree.detach(knot, now);
        told += knot.told ? 0 : 1;
        knot.told = true;
        boolean packets = values.metric() == 1;
        knot.ceiling.set(values.bwMax(), packets, values.burst(), now);
        if (parent != null) {
            knot.pledge.set(values.bwMin(), packets, 0, now);
            knot.weigh(values.weight());
            knot.place(parent, values.priority());
        }
        tree.attach(knot, now);
        return knot;
    }
}
