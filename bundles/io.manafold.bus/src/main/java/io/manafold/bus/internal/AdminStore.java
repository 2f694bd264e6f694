package io.manafold.bus.internal;

import io.manafold.api.device.DeviceEvent.Kind;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.EventLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps what administrators set for devices, one line per setting: {@code 7870:00:00.0 unbound} or
 * {@code 7870:00:00.0 override ethernet 1.0.0}.
 */
final class AdminStore implements AutoCloseable {
    private static final Pattern LINE = Pattern.compile("(\\S+) (?:(unbound)|override (\\S+)(?: (\\S+))?)");

    private final AtomicFile file;
    private final EventLog events;
    private final PersistedFile kept;

    /** @param states what is in force now, for any thread */
    AdminStore(AtomicFile file, EventLog events, Supplier<Map<String, AdminState>> states, Duration pause) {
        this.file = file;
        this.events = events;
        kept = new PersistedFile(file, events, () -> text(states.get()), pause);
    }

    /** What was kept; what cannot be read is told. */
    Map<String, AdminState> load() {
        Map<String, AdminState> states = new TreeMap<>();
        List<String> bad = new ArrayList<>();
        try {
            int number = 0;
            for (String line : file.lines()) {
                number++;
                Matcher parts = LINE.matcher(line);
                if (parts.matches()) {
                    AdminState state = states.getOrDefault(parts.group(1), AdminState.NONE);
                    states.put(parts.group(1), parts.group(2) != null ? state.withUnbound(true)
                            : state.withOverride(new DriverChoice(parts.group(3), parts.group(4))));
                } else if (!line.isEmpty()) {
                    bad.add(Integer.toString(number));
                }
            }
            if (bad.isEmpty()) {
                kept.read(text(states));
            }
        } catch (IOException unreadable) {
            events.post(Kind.SETTINGS_LOST, null, null, "what was set for devices is lost: "
                    + file.putAside(unreadable));
        }
        if (!bad.isEmpty()) {
            events.post(Kind.SETTINGS_LOST, null, null,
                    BadLines.sentence(file, bad, "'DEVICE unbound' or 'DEVICE override DRIVER'"));
        }
        return states;
    }

    /**
     * Has what is in force on disk.
     *
     * @throws io.manafold.api.refusal.NotKept if it cannot be written now
     */
    void keep() {
        kept.keep();
    }

    @Override
    public void close() {
        kept.close();
    }

    private static String text(Map<String, AdminState> states) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(states).forEach((device, state) -> {
            if (state.unbound() && !state.forNow()) {
                text.append(device).append(" unbound\n");
            }
            if (state.override() != null) {
                text.append(device).append(" override ").append(state.override()).append('\n');
            }
        });
        return text.toString();
    }
}
