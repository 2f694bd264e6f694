package io.manafold.netshaper.internal.tree;

import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperScope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Builds a device's tree from wanted shapers one by one, in any order: a node comes when there is something to put
 * below it, and brings along what else is wanted there.
 */
final class TreeBuilder {
    private final ShaperTree tree;
    private final Map<ShaperHandle, Shaper> wanted;
    private final int queues;

    /** @param wanted all that are, in place or not */
    TreeBuilder(ShaperTree tree, Map<ShaperHandle, Shaper> wanted, int queues) {
        this.tree = tree;
        this.wanted = wanted;
        this.queues = queues;
    }

    /** Whether it is in place now; else it waits for others. */
    boolean put(Shaper shaper) {
        if (shaper.handle().scope() == ShaperScope.NODE) {
            return root(shaper);
        }
        if (isAway(shaper)) {
            return false;
        }
        if (!isInNode(shaper)) {
            tree.set(shaper);
            return true;
        }
        Shaper node = tree.records().get(shaper.parent());
        if (node != null) {
            tree.group(node, List.of(shaper));
            return true;
        }
        return wanted.containsKey(shaper.parent()) && root(wanted.get(shaper.parent()));
    }

    boolean isAway(Shaper shaper) {
        return shaper.handle().scope() == ShaperScope.QUEUE && shaper.handle().id() >= queues;
    }

    private static boolean isInNode(Shaper shaper) {
        return shaper.parent() != null && shaper.parent().scope() == ShaperScope.NODE;
    }

    /** Makes the outermost node around one that is not there, with all in between. */
    private boolean root(Shaper node) {
        Set<ShaperHandle> seen = new HashSet<>();
        Shaper top = node;
        while (isInNode(top) && tree.records().get(top.parent()) == null) {
            if (!seen.add(top.handle()) || !wanted.containsKey(top.parent())) {
                return false;
            }
            top = wanted.get(top.parent());
        }
        if (!make(top)) {
            return false;
        }
        if (isInNode(top)) {
            tree.group(tree.records().get(top.parent()), List.of(top));
        }
        return true;
    }

    /** From the innermost outwards, each below the device until it is its parent's turn. */
    private boolean make(Shaper node) {
        List<Shaper> below = new ArrayList<>();
        for (Shaper child : wanted.values()) {
            if (node.handle().equals(child.parent()) && (child.handle().scope() == ShaperScope.NODE
                    ? tree.records().get(child.handle()) != null || make(child) : !isAway(child))) {
                below.add(child);
            }
        }
        if (below.isEmpty()) {
            return false;
        }
        tree.group(node.below(ShaperHandle.NETDEV), below);
        return true;
    }
}
