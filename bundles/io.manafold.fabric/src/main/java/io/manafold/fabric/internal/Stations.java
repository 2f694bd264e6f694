package io.manafold.fabric.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which station was last heard at which jack: a table of fixed size that a flood of invented stations cannot grow. Four
 * entries share a place; a jack that has more than its share of the table takes no room from others, so that it cannot
 * make the switch forget them. Written by the agent; any thread may list it.
 */
final class Stations {
    static final int NOWHERE = -1;
    static final int CAPACITY = 8192;
    private static final int WAYS = 4;
    private static final int SETS = CAPACITY / WAYS;
    private static final long GOLDEN = 0x9e37_79b9_7f4a_7c15L;
    private static final int PLACES = 1 << 16;
    private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(long[].class);

    /** Address in the upper 48 bits, jack + 1 in the lower 16; 0 is free. */
    private final long[] entries = new long[CAPACITY];
    private final int[] heard = new int[CAPACITY];
    private final int[] held;
    private final int share;
    private final int lifetime;
    private final Counter moved = new Counter();
    private final Counter refused = new Counter();
    private int changes;

    /** @param lifetime after how many ticks without being heard a station is forgotten */
    Stations(int jacks, int lifetime) {
        if (jacks >= PLACES) {
            throw new IllegalArgumentException(jacks + " jacks are too many for one table");
        }
        this.held = new int[jacks];
        this.share = Math.max(WAYS, CAPACITY / Math.max(1, jacks));
        this.lifetime = lifetime;
    }

    /** Raised whenever a station's entry is taken away or points elsewhere. */
    int changes() {
        return changes;
    }

    long moved() {
        return moved.get();
    }

    /** How many stations found no room. */
    long refused() {
        return refused.get();
    }

    /** The jack of a station, or {@link #NOWHERE}. */
    int find(long address, int tick) {
        int set = set(address);
        for (int way = set; way < set + WAYS; way++) {
            long entry = entries[way];
            if (entry >>> 16 == address && entry != 0) {
                return tick - heard[way] > lifetime ? NOWHERE : (int) (entry & 0xffff) - 1;
            }
        }
        return NOWHERE;
    }

    /** A station was heard at a jack. */
    void learn(long address, int jack, int tick) {
        int set = set(address);
        int free = -1;
        int own = -1;
        int oldest = -1;
        for (int way = set; way < set + WAYS; way++) {
            long entry = entries[way];
            if (entry == 0) {
                free = way;
                continue;
            }
            if (entry >>> 16 == address) {
                hear(way, address, jack, tick);
                return;
            }
            if (tick - heard[way] > lifetime) {
                free = way;
            } else if ((entry & 0xffff) - 1 == jack && (own < 0 || heard[way] - heard[own] < 0)) {
                own = way;
            }
            if (oldest < 0 || heard[way] - heard[oldest] < 0) {
                oldest = way;
            }
        }
        int place = free >= 0 ? free : own >= 0 ? own : held[jack] < share ? oldest : -1;
        if (place < 0) {
            refused.add(1);
            return;
        }
        drop(place);
        put(place, address, jack, tick);
    }

    private void hear(int way, long address, int jack, int tick) {
        if ((entries[way] & 0xffff) - 1 != jack) {
            moved.add(tick - heard[way] > lifetime ? 0 : 1);
            drop(way);
            put(way, address, jack, tick);
        } else {
            heard[way] = tick;
        }
    }

    private void put(int way, long address, int jack, int tick) {
        heard[way] = tick;
        held[jack]++;
        ENTRY.setOpaque(entries, way, address << 16 | jack + 1);
    }

    private void drop(int way) {
        long entry = entries[way];
        if (entry != 0) {
            held[(int) (entry & 0xffff) - 1]--;
            changes++;
            ENTRY.setOpaque(entries, way, 0L);
        }
    }

    /** Forgets all stations of a jack. */
    void forget(int jack) {
        for (int way = 0; way < CAPACITY && held[jack] > 0; way++) {
            if ((entries[way] & 0xffff) - 1 == jack) {
                drop(way);
            }
        }
    }

    /** Address to jack, of those heard of late; any thread. */
    Map<Long, Integer> list(int tick) {
        Map<Long, Integer> all = new TreeMap<>();
        for (int way = 0; way < CAPACITY; way++) {
            long entry = (long) ENTRY.getOpaque(entries, way);
            if (entry != 0 && tick - heard[way] <= lifetime) {
                all.put(entry >>> 16, (int) (entry & 0xffff) - 1);
            }
        }
        return all;
    }

    private static int set(long address) {
        return (int) (address * GOLDEN >>> 40) % SETS * WAYS;
    }
}
