package io.manafold.inet.internal;

import io.manafold.api.device.SavedSettings;
import io.manafold.api.refusal.NotKept;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Settings that outlive the device, though not the test. */
final class MemorySettings implements SavedSettings {
    final Map<String, Map<String, String>> all = new ConcurrentHashMap<>();
    /** Whether nothing more can be written, though it is taken. */
    volatile boolean full;

    @Override
    public Map<String, String> read(String subject) {
        return all.getOrDefault(subject, Map.of());
    }

    @Override
    public void write(String subject, Map<String, String> settings) {
        all.put(subject, Map.copyOf(settings));
        if (full) {
            throw new NotKept("the file cannot be written", new IOException("no space"));
        }
    }
}
