package io.manafold.netshaper.internal.tree;

import io.manafold.api.shaper.Shaper;
import io.manafold.api.shaper.ShaperHandle;
import io.manafold.api.shaper.ShaperScope;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** All shapers of a device at one moment, in the order of their handles. */
public final class Records {
    public static final Records NONE = new Records(new TreeMap<>());

    private final NavigableMap<ShaperHandle, Shaper> shapers;

    private Records(NavigableMap<ShaperHandle, Shaper> shapers) {
        this.shapers = Collections.unmodifiableNavigableMap(shapers);
    }

    /** The shaper, or {@code null}. */
    public Shaper get(ShaperHandle handle) {
        return shapers.get(handle);
    }

    public Collection<Shaper> all() {
        return shapers.values();
    }

    /** Those from a handle on. */
    public Collection<Shaper> from(ShaperHandle first) {
        return shapers.tailMap(first, true).values();
    }

    public boolean isEmpty() {
        return shapers.isEmpty();
    }

    public List<Shaper> below(ShaperHandle parent) {
        return shapers.values().stream().filter(shaper -> parent.equals(shaper.parent())).toList();
    }

    /** The lowest number that no node has; −1 if all are taken. */
    public int freeNode(int most) {
        int free = 0;
        for (ShaperHandle taken : shapers.tailMap(new ShaperHandle(ShaperScope.NODE, 0), true).keySet()) {
            if (taken.id() != free) {
                return free;
            }
            free++;
        }
        return free > most ? -1 : free;
    }

    Records with(Collection<Shaper> changed) {
        NavigableMap<ShaperHandle, Shaper> now = new TreeMap<>(shapers);
        changed.forEach(shaper -> now.put(shaper.handle(), shaper));
        return new Records(now);
    }

    Records without(ShaperHandle gone) {
        NavigableMap<ShaperHandle, Shaper> now = new TreeMap<>(shapers);
        now.remove(gone);
        return new Records(now);
    }
}
