package io.manafold.netshaper.internal;

import io.manafold.api.device.SavedSettings;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Settings that last as long as this object. */
public final class MemorySettings implements SavedSettings {
    public final Map<String, Map<String, String>> kept = new ConcurrentHashMap<>();

    @Override
    public Map<String, String> read(String subject) {
        return kept.getOrDefault(subject, Map.of());
    }

    @Override
    public void write(String subject, Map<String, String> settings) {
        kept.put(subject, new TreeMap<>(settings));
    }
}
