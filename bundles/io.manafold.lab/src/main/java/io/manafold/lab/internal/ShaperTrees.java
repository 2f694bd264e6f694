package io.manafold.lab.internal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How the shapers of a file hang together: who is above whom, and who would be above itself. What it costs grows with
 * their number, however deep they are.
 */
final class ShaperTrees {
    private final Map<Place, Draft> nodes = new HashMap<>();
    /** Nodes that shapers name as their parent. */
    private final Set<Place> parents = new HashSet<>();
    private final Set<Draft> inCircles = Collections.newSetFromMap(new IdentityHashMap<>());

    private record Place(String device, Integer node) {
    }

    ShaperTrees(List<Draft> shapers) {
        for (Draft shaper : shapers) {
            if (shaper.text("scope").equals("node") && shaper.has("id")) {
                nodes.putIfAbsent(place(shaper, "id"), shaper);
            }
            if (shaper.has("parent")) {
                parents.add(place(shaper, "parent"));
            }
        }
        Map<Draft, Integer> walks = new IdentityHashMap<>();
        for (int walk = 0; walk < shapers.size(); walk++) {
            follow(shapers.get(walk), walk, walks);
        }
    }

    private static Place place(Draft shaper, String key) {
        return new Place(shaper.text("device"), shaper.value(key, Integer.class));
    }

    /** Goes up as far as no walk has gone before; where that is a place of this walk, a circle is closed. */
    private void follow(Draft from, int walk, Map<Draft, Integer> walks) {
        List<Draft> way = new ArrayList<>();
        Draft at = from;
        while (at != null && !walks.containsKey(at)) {
            walks.put(at, walk);
            way.add(at);
            at = above(at).orElse(null);
        }
        if (at != null && walks.get(at) == walk) {
            for (int i = way.size() - 1; i >= 0; i--) {
                inCircles.add(way.get(i));
                if (way.get(i) == at) {
                    return;
                }
            }
        }
    }

    /** The node that a shaper is below; nothing if it names none, or one that is not there. */
    Optional<Draft> above(Draft shaper) {
        return shaper.has("parent") ? Optional.ofNullable(nodes.get(place(shaper, "parent"))) : Optional.empty();
    }

    /** Whether a shaper names the node as its parent. */
    boolean hasBelow(Draft node) {
        return parents.contains(place(node, "id"));
    }

    boolean isBelowItself(Draft shaper) {
        return inCircles.contains(shaper);
    }
}
