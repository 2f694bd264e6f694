package io.manafold.rdma.internal.queue;

import io.manafold.gdma.driver.CompletionQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which direction of which queue pair a completion is of, by work queue and side. Never changes; each change makes
 * another.
 */
final class SideTable {
    static final SideTable EMPTY = new SideTable(Map.of());
    /** Work queue and side in the last word of a completion. */
    private static final int WHOSE = CompletionQueue.DISOWNED;

    private final int[] keys;
    private final Side[] sides;
    private final int mask;
    private final Map<Integer, Side> all;

    private SideTable(Map<Integer, Side> all) {
        this.all = all;
        int slots = Integer.highestOneBit(Math.max(1, 4 * all.size()));
        mask = slots - 1;
        keys = new int[slots];
        sides = new Side[slots];
        all.forEach((key, side) -> {
            int slot = slot(key);
            while (sides[slot] != null) {
                slot = slot + 1 & mask;
            }
            keys[slot] = key;
            sides[slot] = side;
        });
    }

    private int slot(int key) {
        return (key ^ key >>> 24) * 0x9e37_79b9 >>> 7 & mask;
    }

    static boolean isDisowned(int last) {
        return (last & WHOSE) == WHOSE;
    }

    /** The direction that the last word of a completion names, or {@code null}. */
    Side get(int last) {
        int key = last & WHOSE;
        int slot = slot(key);
        while (sides[slot] != null) {
            if (keys[slot] == key) {
                return sides[slot];
            }
            slot = slot + 1 & mask;
        }
        return null;
    }

    SideTable with(int key, Side side) {
        Map<Integer, Side> more = new HashMap<>(all);
        more.put(key, side);
        return new SideTable(more);
    }

    SideTable without(RcQueuePair pair) {
        Map<Integer, Side> fewer = new HashMap<>(all);
        fewer.values().removeIf(side -> side.pair() == pair);
        return new SideTable(fewer);
    }

    List<Side> sides() {
        return new ArrayList<>(all.values().stream().distinct().toList());
    }

    boolean isEmpty() {
        return all.isEmpty();
    }
}
