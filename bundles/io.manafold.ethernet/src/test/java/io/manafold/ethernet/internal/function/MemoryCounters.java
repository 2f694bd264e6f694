package io.manafold.ethernet.internal.function;

import io.manafold.api.device.Device;
import io.manafold.api.device.KeptCounters;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counters that outlive the driver, though not the test. */
final class MemoryCounters implements KeptCounters {
    private final Map<String, Map<String, long[]>> all = new ConcurrentHashMap<>();

    @Override
    public Map<String, long[]> read(Device device, String subject) {
        return all.getOrDefault(device.id() + " " + subject, Map.of());
    }

    @Override
    public void keep(Device device, String subject, Map<String, long[]> counters) {
        all.put(device.id() + " " + subject, Map.copyOf(counters));
    }
}
