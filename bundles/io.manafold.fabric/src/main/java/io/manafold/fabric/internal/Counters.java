package io.manafold.fabric.internal;

import java.util.Map;

/** What a link counts, written by its agent. */
final class Counters {
    final Counter frames = new Counter();
    final Counter bytes = new Counter();
    final Counter delivered = new Counter();
    final Counter flooded = new Counter();
    /** Frames that went to a companion because they were the first of their flows. */
    final Counter flowStarts = new Counter();
    final Counter filtered = new Counter();
    final Counter undelivered = new Counter();
    final Counter runts = new Counter();
    final Counter lost = new Counter();
    final Counter duplicated = new Counter();
    final Counter reordered = new Counter();
    final Counter delayed = new Counter();
    final Counter copied = new Counter();
    final Counter overflow = new Counter();
    final Counter vanished = new Counter();
    final Counter nested = new Counter();
    final Counter mistakes = new Counter();

    /** Adds all by name. */
    void list(Map<String, Long> named) {
        named.put("frames", frames.get());
        named.put("bytes", bytes.get());
        named.put("delivered", delivered.get());
        named.put("flooded", flooded.get());
        named.put("flow_starts", flowStarts.get());
        named.put("filtered", filtered.get());
        named.put("undelivered", undelivered.get());
        named.put("runts", runts.get());
        named.put("lost", lost.get());
        named.put("duplicated", duplicated.get());
        named.put("reordered", reordered.get());
        named.put("delayed", delayed.get());
        named.put("copied", copied.get());
        named.put("overflow", overflow.get());
        named.put("vanished", vanished.get());
    }
}
