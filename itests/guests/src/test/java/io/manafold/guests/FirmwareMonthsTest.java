package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The unmodified driver of a new kernel on adapters with old firmware, three of them in one machine. */
@Tag("guest")
class FirmwareMonthsTest {
    private static final List<String> MONTHS = List.of("2021-04", "2023-08", "2025-01");
    private static final String LAB = """
            adapters:
              - {name: oldest, firmware: 2021-04}
              - {name: older, firmware: 2023-08}
              - {name: old, firmware: 2025-01}
            links:
              - {name: net, ports: [oldest/1, older/1, old/1]}
            exports:
              - {adapter: oldest, socket: %s/oldest.sock}
              - {adapter: older, socket: %s/older.sock}
              - {adapter: old, socket: %s/old.sock}
            """;

    @TempDir
    Path folder;

    @Test
    void theDriverComesUpOnOldFirmware() {
        try (Platform platform = Platform.with(folder, LAB);
                Guest guest = Guest.named("months").on(platform.socket("oldest")).on(platform.socket("older"))
                        .on(platform.socket("old")).boot()) {
            Adapters adapters = new Adapters(platform);
            List<String> names = List.of("oldest", "older", "old");
            for (int i = 0; i < names.size(); i++) {
                assertThat(adapters.show(names.get(i)).getString("firmware")).isEqualTo(MONTHS.get(i));
            }
            guest.run("begin; modprobe mana").done();
            for (int device = 0; device < names.size(); device++) {
                guest.run("until_true 100 there eth" + device).done();
            }
            guest.run("ip addr add 10.3.0.10/24 dev eth0 && ip link set eth0 up; apart 1; apart 2").done();
            for (int device = 1; device < names.size(); device++) {
                String address = "10.3.0.1" + device;
                guest.run("until_true 100 ping -c 1 -W 1 " + address + " && ping -c 5 -i 0.02 " + address).done();
            }
            assertThat(guest.complaints()).isEmpty();
            assertThat(guest.leave(0)).isZero();
            names.forEach(adapters::untilFree);
        }
    }
}
