package io.manafold.adapter.internal.shaping;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.message.QueryShaperStatistics;
import io.manafold.gdma.message.ShaperValues;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.function.LongConsumer;

/**
 * The shapers of a vPort, as its driver has said them: checks what it says, then changes all of it or nothing. Belongs
 * to the control agent. The agent takes over no more than what is above a queue, which is little, however much was
 * said.
 */
public final class PortShapers {
    /** Of a vPort. */
    public static final int MOST = 16384;
    /** Nodes above a queue. */
    public static final int DEPTH = 16;
    public static final int LAST_NODE = 0x3ff_fffe;
    /** Bits per second; more is not kept apart from this. */
    public static final long MOST_RATE = Schedule.MOST_RATE;
    /** What a ceiling without a burst may make up for. */
    public static final long USUAL_BURST_NANOS = Schedule.LATE_NANOS;

    private final SendTree tree;
    private final ShaperPlaces places;
    private final Backlog backlog = new Backlog();
    private final Consumer<LongConsumer> agent;
    private int told;

    /**
     * @param queues that the vPort can have
     * @param agent has a step done by the agent, between two cycles and with the time it is then, and waits for it
     */
    public PortShapers(int queues, Consumer<LongConsumer> agent) {
        this.tree = new SendTree(queues);
        this.places = new ShaperPlaces(tree);
        this.agent = agent;
    }

    public int count() {
        return told;
    }

    /** For the sending half of the port, on the agent. */
    public SendTree tree() {
        return tree;
    }

    ShaperPlaces places() {
        return places;
    }

    /** Makes a shaper what it shall be. */
    public void set(ShaperValues values) {
        Shaper shaper = find(values.scope(), values.id());
        Shaper parent = parent(values);
        checkRoom(shaper == null || !shaper.isTold() ? 1 : 0);
        if (parent != null) {
            checkPlace(shaper, parent);
        }
        put(values, parent);
        tellAgent();
    }

    /** Puts shapers below a node, or below the vPort. */
    public void group(ShaperValues node, List<ShaperValues> leaves) {
        if (node.scope() == ShaperValues.QUEUE) {
            throw wrong("shapers are put below a node or the vPort, not below a queue");
        }
        checkDoubles(leaves);
        Shaper shaper = find(node.scope(), node.id());
        Shaper parent = parent(node);
        int fresh = shaper == null || !shaper.isTold() ? 1 : 0;
        int height = 0;
        for (ShaperValues leaf : leaves) {
            checkMetric(leaf);
            Shaper below = find(leaf.scope(), leaf.id());
            if (leaf.scope() == ShaperValues.NETDEV) {
                throw wrong("the vPort is below nothing");
            }
            if (leaf.scope() == ShaperValues.NODE) {
                if (leaf.id() == node.id() && node.scope() == ShaperValues.NODE || places.isAbove(below, parent)) {
                    throw wrong("node " + leaf.id() + " would be below itself");
                }
                height = Math.max(height, 1 + height(below));
            }
            fresh += below == null || !below.isTold() ? 1 : 0;
        }
        checkRoom(fresh);
        if (parent != null) {
            checkPlace(shaper, parent);
        }
        checkDepth((parent == null ? 0 : places.depth(parent) + 1) + height);
        Shaper top = put(node, parent);
        for (ShaperValues leaf : leaves) {
            put(leaf, top);
        }
        tellAgent();
    }

    /** Takes one away. A queue is below the vPort then, as if nothing had ever been said of it. */
    public void delete(int scope, int id) {
        Shaper shaper = find(scope, id);
        if (shaper == null || !shaper.isTold()) {
            throw new Refusal(Errno.ENOENT, "the shaper " + scope + ":" + Integer.toUnsignedString(id)
                    + " is not there");
        }
        if (scope == ShaperValues.NODE && shaper.children > 0) {
            throw new Refusal(Errno.EBUSY, "node " + id + " has " + shaper.children + " shapers below it");
        }
        told--;
        if (scope == ShaperValues.NODE) {
            places.remove(shaper);
        } else {
            forget(shaper);
        }
        tellAgent();
    }

    private void forget(Shaper shaper) {
        shaper.forget();
        places.touch(shaper);
        if (shaper.isQueue()) {
            places.move(shaper, places.vport);
        }
    }

    /** Takes all away, and the queues' names. */
    public void clear() {
        for (int i = 0; i < places.queues(); i++) {
            if (places.queue(i).isTold()) {
                forget(places.queue(i));
            }
        }
        if (places.vport.isTold()) {
            forget(places.vport);
        }
        places.removeNodes();
        told = 0;
        tellAgent();
        agent.accept(now -> tree.unname());
    }

    private void tellAgent() {
        List<ShaperEdit> edits = places.edits();
        boolean limits = told > 0;
        agent.accept(now -> tree.change(edits, limits, now));
    }

    /** Says which queues are at which places: a number for each, −1 for none. */
    public void name(int[] numbers) {
        agent.accept(now -> tree.name(numbers, now));
    }

    /**
     * What they have done, from one on, what is being held at this moment as well.
     *
     * @param queued what waits in the queue at a place; called by the agent
     */
    public List<QueryShaperStatistics.Entry> statistics(int scope, int id, IntUnaryOperator queued) {
        List<ScheduleNode> asked = places.told(scope, id, QueryShaperStatistics.MOST);
        List<QueryShaperStatistics.Entry> entries = new ArrayList<>(asked.size());
        agent.accept(now -> {
            backlog.add(tree, queued);
            for (ScheduleNode node : asked) {
                entries.add(new QueryShaperStatistics.Entry(node.scope, node.id, node.sentPackets, node.sentBytes,
                        node.heldNanos(now), backlog.of(node), node.dropped));
            }
        });
        return entries;
    }

    // ---- what can be

    private Shaper find(int scope, int id) {
        switch (scope) {
            case ShaperValues.NETDEV -> {
                if (id != 0) {
                    throw wrong("there is one shaper of the vPort, 0, not " + Integer.toUnsignedString(id));
                }
                return places.vport;
            }
            case ShaperValues.QUEUE -> {
                if (id < 0 || id >= places.queues()) {
                    throw new Refusal(Errno.ENOENT, "the vPort can have " + places.queues() + " queues and no queue "
                            + Integer.toUnsignedString(id));
                }
                return places.queue(id);
            }
            case ShaperValues.NODE -> {
                if (id < 0 || id > LAST_NODE) {
                    throw wrong("the number of a node is at most " + LAST_NODE + ", not "
                            + Integer.toUnsignedString(id));
                }
                return places.node(id);
            }
            default -> throw wrong("scopes are 1 for the vPort, 2 for queues and 3 for nodes, not "
                    + Integer.toUnsignedString(scope));
        }
    }

    /** What it shall be below; {@code null} for the vPort. */
    private Shaper parent(ShaperValues values) {
        checkMetric(values);
        if (values.scope() == ShaperValues.NETDEV) {
            return null;
        }
        if (values.parentScope() == 0 || values.parentScope() == ShaperValues.NETDEV) {
            return places.vport;
        }
        if (values.parentScope() != ShaperValues.NODE) {
            throw wrong("shapers are put below a node or the vPort, not below scope "
                    + Integer.toUnsignedString(values.parentScope()));
        }
        Shaper parent = find(ShaperValues.NODE, values.parentId());
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

    private static void checkDoubles(List<ShaperValues> leaves) {
        Set<Long> seen = HashSet.newHashSet(leaves.size());
        for (ShaperValues leaf : leaves) {
            if (!seen.add(ShaperPlaces.key(leaf.scope(), leaf.id()))) {
                throw wrong("a group names each shaper once, and names " + leaf.scope() + ":"
                        + Integer.toUnsignedString(leaf.id()) + " twice");
            }
        }
    }

    private void checkRoom(int more) {
        if (told + more > MOST) {
            throw new Refusal(Errno.ENOSPC, "a vPort has at most " + MOST + " shapers");
        }
    }

    private void checkPlace(Shaper shaper, Shaper parent) {
        if (places.isAbove(shaper, parent)) {
            throw wrong("node " + shaper.node.id + " would be below itself");
        }
        boolean queue = shaper != null && shaper.isQueue();
        checkDepth(places.depth(parent) + (queue ? 0
                : 1 + (shaper == null || shaper.parent == parent ? 0 : height(shaper))));
    }

    private static void checkDepth(int depth) {
        if (depth > DEPTH) {
            throw new Refusal(Errno.ENOSPC, "there are at most " + DEPTH + " nodes above a queue");
        }
    }

    /** Nodes below it, one after another. */
    private static int height(Shaper shaper) {
        return shaper == null ? 0 : shaper.height();
    }

    private static Refusal wrong(String rule) {
        return new Refusal(Errno.EINVAL, rule);
    }

    private Shaper put(ShaperValues values, Shaper parent) {
        Shaper shaper = find(values.scope(), values.id());
        if (shaper == null) {
            shaper = places.addNode(values.id());
        }
        told += shaper.isTold() ? 0 : 1;
        shaper.values = values;
        places.touch(shaper);
        if (parent != null) {
            places.move(shaper, parent);
        }
        return shaper;
    }
}
