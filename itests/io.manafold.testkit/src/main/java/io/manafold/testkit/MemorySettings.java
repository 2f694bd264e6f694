package io.manafold.testkit;

import io.manafold.api.device.SavedSettings;
import io.manafold.api.refusal.NotKept;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Settings that outlive drivers and devices, though not the test. */
public final class MemorySettings implements SavedSettings {
    /** By subject; a subject without settings is not there. */
    public final Map<String, Map<String, String>> kept = new ConcurrentHashMap<>();
    private volatile boolean full;

    /** Nothing more can be written from now on, though it is taken. */
    public void fill() {
        full = true;
    }

    @Override
    public Map<String, String> read(String subject) {
        return kept.getOrDefault(subject, Map.of());
    }

    @Override
    public void write(String subject, Map<String, String> settings) {
        if (settings.isEmpty()) {
            kept.remove(subject);
        } else {
            kept.put(subject, new TreeMap<>(settings));
        }
        if (full) {
            throw new NotKept("the file cannot be written", new IOException("no space"));
        }
    }
}
