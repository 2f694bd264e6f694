package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.adapter.FirmwareMonth;
import io.manafold.api.device.PciAddress;
import io.manafold.api.net.MacAddress;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.Command;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AdapterSettingsTest {
    private static final PciAddress FIRST = PciAddress.parse("7870:00:00.0");

    @Test
    void whatIsLeftOutHasAPreset() {
        AdapterSettings settings = AdapterSettings.read(Map.of("name", "one")).at(FIRST);
        assertThat(settings.ports()).isEqualTo(1);
        assertThat(settings.queues()).isEqualTo(16);
        assertThat(settings.speedBits()).isEqualTo(200_000_000_000L);
        assertThat(settings.frame()).isEqualTo(9014);
        assertThat(settings.rdmaTimeout()).isEqualTo(50_000_000L);
        assertThat(settings.firmware()).hasToString("2026-10");
        assertThat(settings.macs()).containsExactly(MacAddress.parse("00:0d:3a:00:00:01"));
    }

    @Test
    void missingMacsFollowFromThePlace() {
        AdapterSettings settings = AdapterSettings.read(Map.of("name", "two", "ports", 3, "macs",
                new String[] {"00:0d:3a:00:00:0a"})).at(FIRST);
        assertThat(settings.macs()).extracting(MacAddress::toString)
                .containsExactly("00:0d:3a:00:00:0a", "00:0d:3a:00:00:02", "00:0d:3a:00:00:03");
    }

    @Test
    void noTwoAddressesOfADomainShareAMac() {
        Set<MacAddress> macs = new HashSet<>();
        for (int bus = 0; bus < 256; bus += 5) {
            for (int device = 0; device < 32; device++) {
                for (int port = 1; port <= 8; port++) {
                    assertThat(macs.add(PortMacs.of(new PciAddress(0x7870, bus, device, 0), port))).isTrue();
                }
            }
        }
        assertThat(macs).allMatch(MacAddress::isStation);
    }

    @Test
    void nonsenseIsRefusedWithTheKey() {
        refused("ports", 9);
        refused("queues", 0);
        refused("mtu", 1513);
        refused("speed", 1L);
        refused("rdma-timeout", -1L);
        refused("rdma-timeout", 10_000_000_001L);
        refused("firmware", "october");
        refused("address", "here");
        refused("macs", new String[] {"01:00:00:00:00:00"});
        refused("name", "a/b");
    }

    private static void refused(String key, Object value) {
        Map<String, Object> properties = new java.util.HashMap<>(Map.of("name", "bad"));
        properties.put(key, value);
        assertThatThrownBy(() -> AdapterSettings.read(properties)).isInstanceOfSatisfying(Refusal.class, refusal -> {
            assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
            assertThat(refusal).hasMessageContaining(key.equals("firmware") ? "october" : key);
        });
    }

    @Test
    void onlyMonthsOfTheHistoryAreKnown() {
        assertThat(Firmware.parse("2021-04")).isEqualTo(Firmware.OLDEST);
        for (String month : List.of("2021-03", "2026-11", "9999-12")) {
            assertThatThrownBy(() -> Firmware.parse(month)).isInstanceOf(Refusal.class)
                    .hasMessageContaining("choose a month from 2021-04 to 2026-10");
        }
    }

    @Test
    void theHistoryHasEachMessageOnceAndNoneOfOurOwn() {
        List<FirmwareMonth> months = new FirmwareMonths().months();
        assertThat(months.getFirst().month()).isEqualTo("2021-04");
        assertThat(months).extracting(FirmwareMonth::month).isSorted().doesNotHaveDuplicates();
        assertThat(months.stream().flatMap(month -> month.messages().stream()).map(FirmwareMonth.Message::code))
                .containsExactlyInAnyOrderElementsOf(Stream.of(Command.values()).filter(command -> !command.isPrivate())
                        .map(Command::code).toList());
        assertThat(months).allSatisfy(month -> assertThat(month.messages().size() + month.features().size())
                .isPositive());
        assertThat(months.getFirst().limits()).hasSize(FirmwareLimit.values().length)
                .contains(new FirmwareMonth.Limit("receive-completion-frames", 1,
                        "frames that one receive completion tells of"))
                .filteredOn(limit -> limit.name().equals("frame-bytes")).extracting(FirmwareMonth.Limit::value)
                .containsExactly(1514L);
        assertThat(months.stream().flatMap(month -> month.limits().stream()
                .filter(limit -> limit.name().equals("receive-completion-frames"))
                .map(limit -> month.month() + " " + limit.value())))
                .containsExactly("2021-04 1", "2026-03 4", "2026-08 8");
        assertThat(months).as("months in which nothing is another").filteredOn(month -> month.month()
                .equals("2023-08")).allSatisfy(month -> assertThat(month.limits()).isEmpty());
    }

    @Test
    void firmwareLearns() {
        assertThat(Firmware.parse("2022-01").knows(Command.QUERY_CHANNEL_TIMEOUT)).isFalse();
        assertThat(Firmware.parse("2022-01").knows(Command.CREATE_WQ_OBJECT)).isTrue();
        assertThat(Firmware.NEWEST.coalesces()).isTrue();
        assertThat(Firmware.parse("2026-07").pairsFrames()).isFalse();
        assertThat(Firmware.parse("2026-08").pairsFrames()).isTrue();
        assertThat(Firmware.parse("2026-06").moderatesEvents()).isFalse();
        assertThat(Firmware.parse("2026-07").moderatesEvents()).isTrue();
        for (Command command : Command.values()) {
            assertThat(Firmware.NEWEST.knows(command)).isTrue();
        }
    }
}
