package io.manafold.ethernet.internal.queue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a port has counted since its function is there, by queue, whichever driver it had. */
public final class PortCounters {
    private final ReceiveCounters[] receives;
    private final SendCounters[] sends;

    /** @param before the {@link #values} of the driver before, perhaps of another version; empty if there was none */
    public PortCounters(int queues, Map<String, long[]> before) {
        receives = new ReceiveCounters[queues];
        sends = new SendCounters[queues];
        for (int i = 0; i < queues; i++) {
            receives[i] = new ReceiveCounters();
            receives[i].goOnFrom(of(before, ReceiveCounters.NAMES, i));
            sends[i] = new SendCounters();
            sends[i].goOnFrom(of(before, SendCounters.NAMES, i));
        }
    }

    private static long[] of(Map<String, long[]> before, List<String> names, int queue) {
        long[] values = new long[names.size()];
        for (int i = 0; i < values.length; i++) {
            long[] queues = before.get(names.get(i));
            values[i] = queues == null || queue >= queues.length ? 0 : queues[queue];
        }
        return values;
    }

    public int queues() {
        return sends.length;
    }

    public ReceiveCounters receive(int queue) {
        return receives[queue];
    }

    public SendCounters send(int queue) {
        return sends[queue];
    }

    /** All of them by name, one value for each queue. Any thread may ask, and gets what may be a moment old. */
    public Map<String, long[]> values() {
        Map<String, long[]> values = new HashMap<>();
        for (int i = 0; i < sends.length; i++) {
            put(values, ReceiveCounters.NAMES, i, receives[i].values());
            put(values, SendCounters.NAMES, i, sends[i].values());
        }
        return values;
    }

    private void put(Map<String, long[]> into, List<String> names, int queue, long[] values) {
        for (int i = 0; i < values.length; i++) {
            into.computeIfAbsent(names.get(i), _ -> new long[sends.length])[queue] = values[i];
        }
    }
}
