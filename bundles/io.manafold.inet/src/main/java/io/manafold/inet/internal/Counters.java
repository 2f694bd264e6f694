package io.manafold.inet.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.LinkedHashMap;
import java.util.Map;

/** Numbers that one thread raises and any thread reads. */
final class Counters {
    private static final VarHandle VALUE = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] values = new long[HostCounter.values().length];

    void count(HostCounter counter) {
        add(counter, 1);
    }

    /** Counts for the version of IP that it is about. */
    void count(HostCounter counter, int version) {
        add(version == 6 ? counter.six() : counter, 1);
    }

    void add(HostCounter counter, long more) {
        int at = counter.ordinal();
        VALUE.setOpaque(values, at, values[at] + more);
    }

    long get(HostCounter counter) {
        return (long) VALUE.getOpaque(values, counter.ordinal());
    }

    Map<String, Long> list() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (HostCounter counter : HostCounter.values()) {
            all.put(counter.label(), get(counter));
        }
        return all;
    }
}
