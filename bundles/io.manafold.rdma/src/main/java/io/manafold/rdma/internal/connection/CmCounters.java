package io.manafold.rdma.internal.connection;

import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;

/** What has happened to messages. Any thread may read. */
public final class CmCounters {
    /** What is counted. */
    public enum Count {
        RECEIVED, SENT, REPEATED, DUPLICATES, GARBAGE, STRAYS, REJECTIONS, STALE, TIMEOUTS
    }

    private final AtomicLongArray counts = new AtomicLongArray(Count.values().length);

    public void count(Count what) {
        counts.incrementAndGet(what.ordinal());
    }

    public long get(Count what) {
        return counts.get(what.ordinal());
    }

    /** All of them by their name in lower case. */
    public SortedMap<String, Long> list() {
        SortedMap<String, Long> list = new TreeMap<>();
        for (Count what : Count.values()) {
            list.put(what.name().toLowerCase(Locale.ROOT), get(what));
        }
        return list;
    }
}
