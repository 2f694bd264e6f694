package io.manafold.netshaper.internal.tree;

import io.manafold.api.refusal.Refusal;
import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperEvent.Cause;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperScope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells a driver again what its device was held to: first what is alone, then nodes from the innermost outwards, each
 * with all that is below it, so that no node is ever empty.
 */
final class Replay {
    private final ShaperTree tree;
    private final DriverCalls driver;
    private final int queues;
    private final Map<ShaperHandle, Shaper> wanted = new LinkedHashMap<>();
    private final List<String> failures = new ArrayList<>();
    private final Set<ShaperHandle> done = new HashSet<>();

    private Replay(ShaperTree tree, DriverCalls driver, int queues, Collection<Shaper> wanted) {
        this.tree = tree;
        this.driver = driver;
        this.queues = queues;
        wanted.forEach(shaper -> this.wanted.put(shaper.handle(), shaper));
    }

    /** Answers what could not be carried out, a sentence each; the rest is recorded. */
    static List<String> of(Collection<Shaper> wanted, int queues, ShaperTree tree, DriverCalls driver) {
        Replay replay = new Replay(tree, driver, queues, wanted);
        for (Shaper shaper : wanted) {
            if (shaper.handle().scope() != ShaperScope.NODE && !isInNode(shaper)) {
                replay.set(shaper);
            }
        }
        for (Shaper shaper : wanted) {
            if (shaper.handle().scope() == ShaperScope.NODE) {
                replay.node(shaper);
            }
        }
        for (Shaper shaper : wanted) {
            if (!replay.done.contains(shaper.handle()) && isInNode(shaper)
                    && !replay.wanted.containsKey(shaper.parent())) {
                replay.failures.add(shaper.handle() + ": " + shaper.parent() + ", which it is below, is not known");
            }
        }
        return replay.failures;
    }

    private static boolean isInNode(Shaper shaper) {
        return shaper.parent() != null && shaper.parent().scope() == ShaperScope.NODE;
    }

    private void set(Shaper shaper) {
        if (isAway(shaper)) {
            return;
        }
        try {
            driver.set(shaper);
            record(List.of(shaper));
        } catch (Refusal refused) {
            failures.add(shaper.handle() + ": " + refused.getMessage());
        }
    }

    private boolean isAway(Shaper shaper) {
        boolean away = shaper.handle().scope() == ShaperScope.QUEUE && shaper.handle().id() >= queues;
        if (away) {
            failures.add(shaper.handle() + ": there are " + queues + " queues now");
            done.add(shaper.handle());
        }
        return away;
    }

    private void node(Shaper node) {
        if (!done.add(node.handle())) {
            return;
        }
        List<Shaper> below = new ArrayList<>();
        for (Shaper child : wanted.values()) {
            if (!node.handle().equals(child.parent())) {
                continue;
            }
            if (child.handle().scope() == ShaperScope.NODE) {
                node(child);
                if (tree.records().get(child.handle()) != null) {
                    below.add(child);
                }
            } else if (!isAway(child)) {
                below.add(child);
            }
        }
        if (below.isEmpty()) {
            failures.add(node.handle() + ": nothing is below it now");
            return;
        }
        try {
            driver.group(node.below(ShaperHandle.NETDEV), below);
            below.add(wanted.containsKey(node.parent()) ? node : node.below(ShaperHandle.NETDEV));
            record(below);
        } catch (Refusal refused) {
            failures.add(node.handle() + ": " + refused.getMessage());
            // nodes that were to be below it are below the device, as they were made
            record(below.stream().filter(child -> child.handle().scope() == ShaperScope.NODE)
                    .map(child -> child.below(ShaperHandle.NETDEV)).toList());
        }
    }

    private void record(List<Shaper> accepted) {
        tree.record(accepted, Cause.REPLAYED);
        accepted.forEach(shaper -> done.add(shaper.handle()));
    }
}
