package io.manafold.bus.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.DeviceEvent;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.EventLog;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class SettingsStoreTest {
    private static final String PORT = "7870:00:00.0/1";

    @TempDir
    Path folder;

    private final List<String> told = new ArrayList<>();

    private SettingsStore open() {
        return new SettingsStore(folder.resolve("state/settings"), new EventLog() {
            @Override
            public List<DeviceEvent> recent() {
                return List.of();
            }

            @Override
            public Subscription subscribe(Consumer<DeviceEvent> listener) {
                return () -> { };
            }

            @Override
            public void post(DeviceEvent.Kind kind, String device, DriverChoice driver, String sentence) {
                told.add(sentence);
            }
        });
    }

    @Test
    void whatWasSetIsThereAfterARestart() {
        open().write(PORT, Map.of("mtu", "9000", "channels", "4"));
        SettingsStore again = open();
        assertThat(again.read(PORT)).isEqualTo(Map.of("mtu", "9000", "channels", "4"));
        assertThat(again.read("7870:00:00.0/2")).isEmpty();
        again.write(PORT, Map.of("mtu", "1500"));
        assertThat(open().read(PORT)).isEqualTo(Map.of("mtu", "1500"));
        again.write(PORT, Map.of());
        assertThat(open().read(PORT)).isEmpty();
        assertThat(told).isEmpty();
    }

    @Test
    void subjectsDoNotDisturbEachOther() {
        SettingsStore store = open();
        store.write(PORT, Map.of("mtu", "9000"));
        store.write("7870:00:00.0/2", Map.of("mtu", "4000"));
        store.write(PORT, Map.of());
        assertThat(open().read("7870:00:00.0/2")).isEqualTo(Map.of("mtu", "4000"));
    }

    @Test
    void whatIsNoWordIsRefusedAndTheOldStays() {
        SettingsStore store = open();
        store.write(PORT, Map.of("mtu", "9000"));
        for (String bad : List.of("", "two words", "line\nbreak", "\u00e9", "x".repeat(16385))) {
            assertThatThrownBy(() -> store.write(PORT, Map.of("mtu", bad)))
                    .isInstanceOfSatisfying(Refusal.class, no -> assertThat(no.errno()).isEqualTo(Errno.EINVAL));
            assertThatThrownBy(() -> store.write(bad, Map.of("mtu", "1"))).isInstanceOf(Refusal.class);
        }
        assertThat(store.read(PORT)).isEqualTo(Map.of("mtu", "9000"));
        assertThat(open().read(PORT)).isEqualTo(Map.of("mtu", "9000"));
    }

    @Test
    void anUnreadableFileIsPutAside() throws Exception {
        Path file = folder.resolve("state/settings");
        Files.createDirectories(file.getParent());
        for (byte[] hostile : List.of("mtu\n".getBytes(StandardCharsets.UTF_8), new byte[] {0, 1, 2, -1},
                new byte[WholeFile.SIZE_LIMIT + 1])) {
            told.clear();
            Files.write(file, hostile);
            SettingsStore store = open();
            assertThat(told).singleElement().asString().contains("put aside as settings.unreadable");
            assertThat(store.read(PORT)).isEmpty();
            assertThat(Files.readAllBytes(folder.resolve("state/settings.unreadable"))).isEqualTo(hostile);
            store.write(PORT, Map.of("mtu", "9000"));
            assertThat(open().read(PORT)).isEqualTo(Map.of("mtu", "9000"));
        }
    }

    @Test
    void whatCannotBeWrittenIsRefusedAndTheOldStays() throws Exception {
        SettingsStore store = open();
        store.write(PORT, Map.of("mtu", "9000"));
        Path blocked = Files.createDirectory(folder.resolve("state/settings.new"));
        assertThatThrownBy(() -> store.write(PORT, Map.of("mtu", "1500")))
                .isInstanceOfSatisfying(Refusal.class, no -> assertThat(no.errno()).isEqualTo(Errno.EIO));
        assertThat(store.read(PORT)).isEqualTo(Map.of("mtu", "9000"));
        Files.delete(blocked);
        assertThat(open().read(PORT)).isEqualTo(Map.of("mtu", "9000"));
        store.write(PORT, Map.of("mtu", "1500"));
        assertThat(open().read(PORT)).isEqualTo(Map.of("mtu", "1500"));
    }

    @Test
    void theFileHasABound() {
        SettingsStore store = open();
        String long16k = "x".repeat(16384);
        for (int i = 0; i < 63; i++) {
            store.write("subject-" + i, Map.of("a", long16k));
        }
        assertThatThrownBy(() -> store.write("one-more", Map.of("a", long16k, "b", long16k)))
                .isInstanceOfSatisfying(Refusal.class, no -> assertThat(no.errno()).isEqualTo(Errno.EIO));
        assertThat(open().read("subject-62")).isEqualTo(Map.of("a", long16k));
        assertThat(open().read("one-more")).isEmpty();
    }
}
