package io.manafold.bus.internal;

import io.manafold.api.device.DriverChoice;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keeps what administrators set for devices, one line per setting: {@code 7870:00:00.0 unbound} or
 * {@code 7870:00:00.0 override ethernet 1.0.0}.
 */
final class AdminStore {
    private static final Pattern LINE = Pattern.compile("(\\S+) (?:(unbound)|override (\\S+)(?: (\\S+))?)");

    private final WholeFile file;

    AdminStore(Path file) {
        this.file = new WholeFile(file);
    }

    WholeFile file() {
        return file;
    }

    /**
     * @throws IOException if the file cannot be read or says something that we never wrote; the message is for people
     */
    Map<String, AdminState> load() throws IOException {
        Map<String, AdminState> states = new TreeMap<>();
        int number = 0;
        for (String line : file.lines()) {
            number++;
            if (line.isEmpty()) {
                continue;
            }
            Matcher parts = LINE.matcher(line);
            if (!parts.matches()) {
                throw new IOException("line " + number + " is neither 'DEVICE unbound' nor 'DEVICE override DRIVER'");
            }
            AdminState state = states.getOrDefault(parts.group(1), AdminState.NONE);
            states.put(parts.group(1), parts.group(2) != null ? state.withUnbound(true)
                    : state.withOverride(new DriverChoice(parts.group(3), parts.group(4))));
        }
        return states;
    }

    void save(Map<String, AdminState> states) throws IOException {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(states).forEach((device, state) -> {
            if (state.unbound()) {
                text.append(device).append(" unbound\n");
            }
            if (state.override() != null) {
                text.append(device).append(" override ").append(state.override()).append('\n');
            }
        });
        file.replace(text.toString());
    }
}
