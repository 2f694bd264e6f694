package io.manafold.bus.internal;

import io.manafold.api.device.Device;
import io.manafold.api.device.KeptCounters;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.osgi.service.component.annotations.Component;

/** Keeps counters with the device object: who makes another one for the same place begins at zero. */
@Component
public final class CounterStore implements KeptCounters {
    private final Map<Device, Map<String, Map<String, long[]>>> all = new WeakHashMap<>();

    @Override
    public synchronized Map<String, long[]> read(Device device, String subject) {
        Map<String, long[]> copy = new HashMap<>();
        all.getOrDefault(device, Map.of()).getOrDefault(subject, Map.of())
                .forEach((name, values) -> copy.put(name, values.clone()));
        return copy;
    }

    @Override
    public synchronized void keep(Device device, String subject, Map<String, long[]> counters) {
        Map<String, Map<String, long[]>> subjects = all.getOrDefault(device, Map.of());
        Map<String, long[]> before = subjects.getOrDefault(subject, Map.of());
        Map<String, long[]> merged = new HashMap<>(before);
        counters.forEach((name, values) -> merged.put(name, greater(before.get(name), values)));
        boolean fits = merged.size() <= MOST_COUNTERS && (subjects.containsKey(subject)
                || subjects.size() < MOST_SUBJECTS)
                && merged.values().stream().allMatch(values -> values.length <= MOST_VALUES);
        if (!fits) {
            throw new Refusal(Errno.EINVAL, "The counters of " + subject + " of " + device.id() + " are not kept: a "
                    + "device has at most " + MOST_SUBJECTS + " subjects of " + MOST_COUNTERS + " counters with "
                    + MOST_VALUES + " values each. Keep fewer.");
        }
        all.computeIfAbsent(device, _ -> new HashMap<>()).put(subject, merged);
    }

    private static long[] greater(long[] before, long[] now) {
        if (before == null) {
            return now.clone();
        }
        long[] merged = Arrays.copyOf(before, Math.max(before.length, now.length));
        for (int i = 0; i < now.length; i++) {
            merged[i] = Math.max(merged[i], now[i]);
        }
        return merged;
    }
}
