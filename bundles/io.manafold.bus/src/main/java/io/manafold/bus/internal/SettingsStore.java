package io.manafold.bus.internal;

import io.manafold.api.device.DeviceEvent.Kind;
import io.manafold.api.device.EventLog;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.SavedSetting;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Keeps settings in one file, a line each: {@code port:default/one/1 mtu 9000}. */
@Component(configurationPid = "io.manafold.bus")
public final class SettingsStore implements SavedSettings {
    private static final Pattern WORD = Pattern.compile("[\\p{Graph}]{1,16384}");
    private static final Pattern LINE = Pattern.compile("(\\p{Graph}+) (\\p{Graph}+) (\\p{Graph}+)");

    private final BundleContext context;
    private final EventLog events;
    private final PersistedFile file;
    private final Map<String, Map<String, String>> settings = new TreeMap<>();

    @Activate
    public SettingsStore(BundleContext context, Bus.Config config, @Reference EventLog events) {
        this(context, new AtomicFile(Bus.folder(context, config.folder()).resolve("settings"), Disk.REAL), events,
                PersistedFile.PAUSE);
    }

    SettingsStore(BundleContext context, AtomicFile whole, EventLog events, Duration pause) {
        this.context = context;
        this.events = events;
        file = new PersistedFile(whole, events, this::text, pause);
        try {
            load(whole, events);
        } catch (IOException unreadable) {
            settings.clear();
            events.post(Kind.SETTINGS_LOST, null, null,
                    "what was set on devices is lost: " + whole.putAside(unreadable));
        }
    }

    /** A line that says nothing costs itself and no other. */
    private void load(AtomicFile whole, EventLog events) throws IOException {
        List<String> bad = new ArrayList<>();
        int number = 0;
        for (String line : whole.lines()) {
            number++;
            Matcher parts = LINE.matcher(line);
            if (parts.matches()) {
                settings.computeIfAbsent(parts.group(1), _ -> new TreeMap<>()).put(parts.group(2), parts.group(3));
            } else if (!line.isEmpty()) {
                bad.add(Integer.toString(number));
            }
        }
        if (!bad.isEmpty()) {
            events.post(Kind.SETTINGS_LOST, null, null, BadLines.sentence(whole, bad, "'SUBJECT SETTING VALUE'"));
        }
    }

    @Deactivate
    void end() {
        file.close();
    }

    /** What a home has from before labs were told apart belongs to the first lab that has the port. */
    @Override
    public String subject(String about, PciAddress function, int port) {
        String subject = Subjects.of(context, about, function, port);
        synchronized (settings) {
            Map<String, String> former = settings.remove(Subjects.former(about, function, port));
            if (former != null) {
                settings.putIfAbsent(subject, former);
            }
        }
        return subject;
    }

    @Override
    public List<SavedSetting> list() {
        synchronized (settings) {
            List<SavedSetting> list = new ArrayList<>();
            settings.forEach((subject, words) -> list.addAll(Subjects.list(subject, words)));
            return list;
        }
    }

    @Override
    public Map<String, String> read(String subject) {
        synchronized (settings) {
            return Map.copyOf(settings.getOrDefault(subject, Map.of()));
        }
    }

    @Override
    public void write(String subject, Map<String, String> values) {
        checkWord(subject);
        values.forEach((name, value) -> {
            checkWord(name);
            checkWord(value);
        });
        List<String> changes;
        synchronized (settings) {
            Map<String, String> before = values.isEmpty() ? settings.remove(subject)
                    : settings.put(subject, new TreeMap<>(values));
            changes = Subjects.changes(subject, before == null ? Map.of() : before, values);
        }
        changes.forEach(change -> events.post(Kind.SETTING_CHANGED, null, null, change));
        file.keep();
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        synchronized (settings) {
            settings.forEach((subject, values) -> values.forEach((name, value) ->
                    text.append(subject).append(' ').append(name).append(' ').append(value).append('\n')));
        }
        return text.toString();
    }

    private static void checkWord(String word) {
        if (!WORD.matcher(word).matches()) {
            throw new Refusal(Errno.EINVAL, "Settings are kept as words of 1 to 16384 visible characters; '"
                    + word.substring(0, Math.min(40, word.length())) + "' is none.");
        }
    }
}
