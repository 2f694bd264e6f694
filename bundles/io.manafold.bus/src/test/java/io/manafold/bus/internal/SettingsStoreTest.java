package io.manafold.bus.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.device.DeviceEvent;
import io.manafold.api.device.DriverChoice;
import io.manafold.api.device.EventLog;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.NotKept;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
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

    private final List<String> told = new CopyOnWriteArrayList<>();

    private SettingsStore open() {
        return open(Disk.REAL, Duration.ofHours(1));
    }

    private SettingsStore open(Disk disk, Duration pause) {
        return new SettingsStore(null, new AtomicFile(folder.resolve("state/settings"), disk), new EventLog() {
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
        }, pause);
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
    void whatAnAdministratorSetsOnAPortIsTold() {
        SettingsStore store = open();
        store.write("port:default/one/1", Map.of("mtu", "9000", "page", "64k", "driver.page", "64k"));
        store.write("port:default/one/1", Map.of("mtu", "9000", "page", "64k", "driver.page", "64k"));
        store.write("port:default/one/1", Map.of("mtu", "1500", "key", "0".repeat(80)));
        store.write("port:default/one/1", Map.of());
        store.write("shapers:default/one/1", Map.of("a", "b"));
        assertThat(told).containsExactlyInAnyOrder("port one/1: mtu is set to 9000",
                "port one/1: mtu is set to 1500; it was 9000", "port one/1: key is set to " + "0".repeat(60) + "…",
                "port one/1: mtu is no longer set; it was 1500", "port one/1: key is no longer set; it was "
                + "0".repeat(60) + "…");
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
    void aBadLineCostsItselfAndIsNamedByNumber() throws Exception {
        Path file = folder.resolve("state/settings");
        Files.createDirectories(file.getParent());
        String text = PORT + " mtu 9000\nmtu\n" + PORT + " channels 2\n\u0001\u0002 x y\n";
        for (int copy = 1; copy <= 2; copy++) {
            told.clear();
            Files.writeString(file, text);
            SettingsStore store = open();
            assertThat(told).singleElement().asString().contains("lines 2, 4 are not 'SUBJECT SETTING VALUE'")
                    .contains("put aside as settings.unreadable." + copy);
            assertThat(store.read(PORT)).isEqualTo(Map.of("mtu", "9000", "channels", "2"));
            assertThat(folder.resolve("state/settings.unreadable." + copy)).hasContent(text);
            store.write(PORT, Map.of("mtu", "4000"));
            assertThat(open().read(PORT)).isEqualTo(Map.of("mtu", "4000"));
        }
    }

    @Test
    void anUnreadableFileIsPutAside() throws Exception {
        Path file = folder.resolve("state/settings");
        Files.createDirectories(file.getParent());
        byte[] hostile = new byte[AtomicFile.SIZE_LIMIT + 1];
        Files.write(file, hostile);
        SettingsStore store = open();
        assertThat(told).singleElement().asString().contains("put aside as settings.unreadable.1");
        assertThat(store.read(PORT)).isEmpty();
        assertThat(Files.readAllBytes(folder.resolve("state/settings.unreadable.1"))).isEqualTo(hostile);
        store.write(PORT, Map.of("mtu", "9000"));
        assertThat(open().read(PORT)).isEqualTo(Map.of("mtu", "9000"));
    }

    /** Fails at one of its steps and from then on, until it is mended. */
    private static final class FailingDisk implements Disk {
        private int steps;
        private volatile int failing;

        private void step() throws IOException {
            if (failing != 0 && ++steps >= failing) {
                throw new IOException("No space left on device");
            }
        }

        @Override
        public void write(FileChannel file, ByteBuffer rest) throws IOException {
            if (failing != 0 && steps + 1 == failing) {
                // a full disk takes the beginning
                file.write(rest.slice(rest.position(), rest.remaining() / 2));
            }
            step();
            file.write(rest);
        }

        @Override
        public void sync(FileChannel file) throws IOException {
            step();
            Disk.super.sync(file);
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            step();
            Disk.super.rename(from, to);
        }
    }

    @Test
    void whereverTheDiskFailsItIsDoneAndKeptLater() throws Exception {
        for (int step = 1; step <= 4; step++) {
            FailingDisk disk = new FailingDisk();
            SettingsStore store = open(disk, Duration.ofMillis(20));
            store.write(PORT, Map.of("mtu", "9000"));
            told.clear();
            disk.failing = step;
            for (String mtu : List.of("1500", "1500", "1400")) {
                assertThatThrownBy(() -> store.write(PORT, Map.of("mtu", mtu))).isInstanceOf(NotKept.class)
                        .hasMessageStartingWith("done, but it will not outlive the platform: ")
                        .hasMessageContaining("No space left on device");
                assertThat(store.read(PORT)).isEqualTo(Map.of("mtu", mtu));
                // whatever a crash leaves is a whole file
                assertThat(open().read(PORT)).containsKey("mtu");
            }
            assertThat(told).isEmpty();
            disk.failing = 0;
            for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60); told.isEmpty()
                    && System.nanoTime() < end;) {
                Thread.sleep(5);
            }
            assertThat(told).singleElement().asString().contains("is kept now");
            assertThat(open().read(PORT)).isEqualTo(Map.of("mtu", "1400"));
        }
    }

    @Test
    void theEndIsTheLastTry() {
        FailingDisk disk = new FailingDisk();
        SettingsStore store = open(disk, Duration.ofHours(1));
        disk.failing = 1;
        assertThatThrownBy(() -> store.write(PORT, Map.of("mtu", "1500"))).isInstanceOf(NotKept.class);
        disk.failing = 0;
        store.end();
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
                .isInstanceOf(NotKept.class);
        assertThat(open().read("subject-62")).isEqualTo(Map.of("a", long16k));
        assertThat(open().read("one-more")).isEmpty();
        store.write("one-more", Map.of());
        assertThat(open().read("subject-62")).isEqualTo(Map.of("a", long16k));
    }
}
