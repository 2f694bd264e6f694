package io.manafold.bus.internal;

import io.manafold.api.device.DeviceEvent.Kind;
import io.manafold.api.device.EventLog;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Keeps settings in one file, a line each: {@code 7870:00:00.0/1 mtu 9000}. */
@Component(configurationPid = "io.manafold.bus")
public final class SettingsStore implements SavedSettings {
    private static final Pattern WORD = Pattern.compile("[\\p{Graph}]{1,16384}");
    private static final Pattern LINE = Pattern.compile("(\\S+) (\\S+) (\\S+)");

    private final WholeFile file;
    private final Map<String, Map<String, String>> settings = new TreeMap<>();

    @Activate
    public SettingsStore(BundleContext context, Bus.Config config, @Reference EventLog events) {
        this(Bus.folder(context, config).resolve("settings"), events);
    }

    SettingsStore(Path path, EventLog events) {
        file = new WholeFile(path);
        try {
            load();
        } catch (IOException unreadable) {
            settings.clear();
            events.post(Kind.ADMINISTERED, null, null,
                    "what was set on devices is lost: " + file.putAside(unreadable));
        }
    }

    private void load() throws IOException {
        int number = 0;
        for (String line : file.lines()) {
            number++;
            Matcher parts = LINE.matcher(line);
            if (parts.matches()) {
                settings.computeIfAbsent(parts.group(1), _ -> new TreeMap<>()).put(parts.group(2), parts.group(3));
            } else if (!line.isEmpty()) {
                throw new IOException("line " + number + " is not 'SUBJECT SETTING VALUE'");
            }
        }
    }

    @Override
    public synchronized Map<String, String> read(String subject) {
        return Map.copyOf(settings.getOrDefault(subject, Map.of()));
    }

    @Override
    public synchronized void write(String subject, Map<String, String> values) {
        checkWord(subject);
        values.forEach((name, value) -> {
            checkWord(name);
            checkWord(value);
        });
        Map<String, String> before = settings.getOrDefault(subject, Map.of());
        if (before.equals(values)) {
            return;
        }
        put(subject, new TreeMap<>(values));
        try {
            file.replace(text());
        } catch (IOException unkept) {
            put(subject, before);
            throw new Refusal(Errno.EIO, "What is set for " + subject + " cannot be kept: " + file.path()
                    + " cannot be written (" + Reasons.of(unkept) + ").", unkept);
        }
    }

    private void put(String subject, Map<String, String> values) {
        if (values.isEmpty()) {
            settings.remove(subject);
        } else {
            settings.put(subject, values);
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        settings.forEach((subject, values) -> values.forEach((name, value) ->
                text.append(subject).append(' ').append(name).append(' ').append(value).append('\n')));
        return text.toString();
    }

    private static void checkWord(String word) {
        if (!WORD.matcher(word).matches()) {
            throw new Refusal(Errno.EINVAL, "Settings are kept as words of 1 to 16384 visible characters; '"
                    + word.substring(0, Math.min(40, word.length())) + "' is none.");
        }
    }
}
