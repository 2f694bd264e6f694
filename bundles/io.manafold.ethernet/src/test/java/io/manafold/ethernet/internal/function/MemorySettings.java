package io.manafold.ethernet.internal.function;

import io.manafold.api.device.SavedSettings;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Settings that outlive the driver, though not the test. */
final class MemorySettings implements SavedSettings {
    private final Map<String, Map<String, String>> all = new ConcurrentHashMap<>();

    @Override
    public Map<String, String> read(String subject) {
        return all.getOrDefault(subject, Map.of());
    }

    @Override
    public void write(String subject, Map<String, String> settings) {
        all.put(subject, Map.copyOf(settings));
    }
}
