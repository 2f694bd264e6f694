package io.manafold.inet.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.LinkedHashMap;
import java.util.Map;

/** Numbers that one thread raises and any thread reads. */
final class Counters {
    private static final VarHandle VALUE = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] values = new long[HostCounter.values().length];

    void count(HostCounter tally) {
        add(tally, 1);
    }

    /** Counts for the version of IP that it is about. */
    void count(HostCounter tally, int version) {
        add(version == 6 ? tally.six() : tally, 1);
    }

    void add(HostCounter tally, long more) {
        int at = tally.ordinal();
        VALUE.setOpaque(values, at, values[at] + more);
    }

    long get(HostCounter tally) {
        return (long) VALUE.getOpaque(values, tally.ordinal());
    }

    Map<String, Long> list() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (HostCounter tally : HostCounter.values()) {
            all.put(tally.label(), get(tally));
        }
        return all;
    }
}
