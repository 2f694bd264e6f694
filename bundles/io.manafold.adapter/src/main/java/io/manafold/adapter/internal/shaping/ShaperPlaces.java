package io.manafold.adapter.internal.shaping;

import io.manafold.gdma.message.ShaperValues;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which shapers there are and what each is below. What a shaper is asked for is kept up to date with every move, along
 * the way to the vPort, so that no question walks through what is below. Belongs to the control agent.
 */
final class ShaperPlaces {
    final Shaper vport;
    private final Shaper[] queues;
    private final TreeMap<Integer, Shaper> nodes = new TreeMap<>();
    /** Those the agent may have to be told of. */
    private final Set<Shaper> touched = new LinkedHashSet<>();
    /** PortShapers that were looked at, each step of a walk counted. */
    long visited;

    ShaperPlaces(SendTree tree) {
        vport = new Shaper(tree.root);
        queues = new Shaper[tree.places()];
        for (int i = 0; i < queues.length; i++) {
            queues[i] = new Shaper(tree.queue(i));
            queues[i].queues = 1;
            move(queues[i], vport);
            queues[i].placed();
        }
        touched.clear();
    }

    int queues() {
        return queues.length;
    }

    Shaper queue(int number) {
        return queues[number];
    }

    /** A node, or {@code null}. */
    Shaper node(int id) {
        return nodes.get(id);
    }

    Shaper addNode(int id) {
        Shaper node = new Shaper(ShaperValues.NODE, id);
        nodes.put(id, node);
        return node;
    }

    /** The order of shapers. */
    static long key(int scope, int id) {
        return Integer.toUnsignedLong(scope) << 32 | Integer.toUnsignedLong(id);
    }

    /** Those that something was said of, in order from one on, but not more than so many. */
    List<ScheduleNode> told(int scope, int id, int most) {
        long first = key(scope, id);
        List<ScheduleNode> found = new ArrayList<>();
        add(vport, first, most, found);
        for (Shaper queue : queues) {
            add(queue, first, most, found);
        }
        // scopes are in order, so from here on only nodes count
        int from = first <= key(ShaperValues.NODE, 0) ? 0 : scope > ShaperValues.NODE || id < 0 ? -1 : id;
        Iterator<Shaper> rest = from < 0 ? Collections.emptyIterator() : nodes.tailMap(from, true).values().iterator();
        while (found.size() < most && rest.hasNext()) {
            add(rest.next(), first, most, found);
        }
        return found;
    }

    private void add(Shaper shaper, long first, int most, List<ScheduleNode> found) {
        ScheduleNode node = shaper.node;
        visited++;
        if (shaper.isTold() && key(node.scope, node.id) >= first && found.size() < most) {
            found.add(node);
        }
    }

    /** Takes out a node that has nothing below it. */
    void remove(Shaper node) {
        move(node, null);
        nodes.remove(node.node.id);
    }

    /** Takes all nodes out. */
    void removeNodes() {
        nodes.values().forEach(node -> move(node, null));
        nodes.clear();
    }

    /** Whether one is above another, or that one itself. */
    boolean isAbove(Shaper shaper, Shaper other) {
        for (Shaper up = other; up != null && shaper != null; up = up.parent) {
            visited++;
            if (up == shaper) {
                return true;
            }
        }
        return false;
    }

    /** Nodes from the vPort down to it. */
    int depth(Shaper shaper) {
        int depth = 0;
        for (Shaper up = shaper; up.parent != null; up = up.parent) {
            visited++;
            depth++;
        }
        return depth;
    }

    /** The agent has to hear of it if it is in its tree. */
    void touch(Shaper shaper) {
        touched.add(shaper);
    }

    /** Puts a shaper below another, or below nothing. */
    void move(Shaper shaper, Shaper below) {
        if (shaper.parent == below) {
            return;
        }
        if (shaper.parent != null) {
            shaper.parent.children--;
            account(shaper, shaper.parent, -1);
        }
        shaper.parent = below;
        if (below != null) {
            below.children++;
            account(shaper, below, 1);
        }
        touch(shaper);
    }

    /** A shaper comes below another, or goes. */
    private void account(Shaper shaper, Shaper below, int sign) {
        for (Shaper up = shaper.queues == 0 ? null : below; up != null; up = up.parent) {
            visited++;
            up.queues += sign * shaper.queues;
            touch(up);
        }
        int before = sign > 0 || shaper.isQueue() ? -1 : shaper.height();
        int after = sign < 0 || shaper.isQueue() ? -1 : shaper.height();
        for (Shaper up = before == after ? null : below; up != null; up = up.parent) {
            visited++;
            int old = up.height();
            if (!up.raise(before, after)) {
                break;
            }
            before = old;
            after = up.height();
        }
    }

    /** What the agent has to change, since it was asked for last. */
    List<ShaperEdit> edits() {
        List<ShaperEdit> edits = new ArrayList<>();
        for (Shaper shaper : touched) {
            visited++;
            ShaperEdit edit = shaper.edit();
            if (edit != null) {
                edits.add(edit);
            }
        }
        touched.clear();
        return edits;
    }
}
