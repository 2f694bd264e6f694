package io.manafold.commands.platform.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.DeviceState;
import java.util.List;
import org.junit.jupiter.api.Test;

class DevicesCommandTest {
    private final Platform platform = new Platform();
    private final DevicesCommand devices = new DevicesCommand(platform);
    private final Fakes.Core core = new Fakes.Core();
    private final Fakes.Function mana = new Fakes.Function("7870:00:00.0");

    private void fill() {
        platform.core = core;
        core.devices.add(Fakes.Status.bound(mana, "ethernet", "1.0.0"));
        core.devices.add(Fakes.Status.free(new Fakes.Part("mana.eth", 0, "7870:00:00.0")));
        core.devices.add(Fakes.Status.bound(new Fakes.Part("mana.rdma", 0, "7870:00:00.0"), "rdma", "1.0.0"));
        platform.offers = List.of(new Fakes.Offered("7870:00:00.0", "mana10", "down"),
                new Fakes.Offered("7870:00:00.0", "mana0", "up  00:0d:3a:00:00:01  10.77.0.1/24"),
                new Fakes.Offered("mana.rdma.0", "mana_0", "active"));
    }

    @Test
    void theTreeGoesFromFunctionToPartToOffer() {
        fill();
        assertThat(Fakes.run(devices).out()).isEqualTo("""
                7870:00:00.0  1414:00ba  Ethernet controller  driver ethernet 1.0.0
                ├─ mana.eth.0                                 (free)
                ├─ mana.rdma.0                                driver rdma 1.0.0
                │  └─ mana_0   active
                ├─ mana0    up  00:0d:3a:00:00:01  10.77.0.1/24
                └─ mana10   down
                """);
    }

    @Test
    void theTreeInJsonHasChildren() {
        fill();
        assertThat(Fakes.run(devices, "--json").out().replaceAll("\\s", ""))
                .startsWith("[{\"kind\":\"function\",\"id\":\"7870:00:00.0\",\"vendor\":\"1414\",\"device\":\"00ba\","
                        + "\"class\":\"020000\",\"state\":\"bound\",\"driver\":\"ethernet\",\"version\":\"1.0.0\","
                        + "\"reason\":null,\"unbound_by_hand\":false,\"override\":null,"
                        + "\"children\":[{\"kind\":\"auxiliary\"");
    }

    @Test
    void everyStateSaysWhy() {
        assertThat(DevicesCommand.note(Fakes.Status.free(mana))).isEqualTo("(free)");
        assertThat(DevicesCommand.note(Fakes.Status.free(mana).byHand())).isEqualTo("(unbound by hand)");
        assertThat(DevicesCommand.note(Fakes.Status.free(mana).only("ethernet", "1.0.0")))
                .isEqualTo("(free, override ethernet 1.0.0)");
        assertThat(DevicesCommand.note(Fakes.Status.of(mana, DeviceState.DEFERRED, "waits for mana.eth.0")))
                .isEqualTo("(deferred: waits for mana.eth.0)");
        assertThat(DevicesCommand.note(Fakes.Status.of(mana, DeviceState.FAILED, "no firmware")))
                .isEqualTo("(failed: no firmware)");
        assertThat(DevicesCommand.note(Fakes.Status.of(mana, DeviceState.PROBING, null))).isEqualTo("(probing)");
        assertThat(DevicesCommand.note(Fakes.Status.of(mana, DeviceState.REMOVING, null))).isEqualTo("(removing)");
    }

    @Test
    void longReasonsAreWrappedInTheirColumnAndCannotSteerTheTerminal() {
        platform.core = core;
        core.devices.add(Fakes.Status.of(mana, DeviceState.FAILED,
                "the firmware of the adapter answers\nin a \u001b[31mlanguage that this driver does not speak"));
        String out = Fakes.run(devices).out();
        assertThat(out).doesNotContain("\u001b").contains("\\u001b").contains("\\n");
        assertThat(out.lines()).allMatch(line -> line.length() <= 80).hasSizeGreaterThan(1);
    }

    @Test
    void partsThatAreEachOthersParentsAreShownOnce() {
        platform.core = core;
        core.devices.add(Fakes.Status.free(new Fakes.Part("a", 0, "b.0")));
        core.devices.add(Fakes.Status.free(new Fakes.Part("b", 0, "a.0")));
        core.devices.add(Fakes.Status.free(new Fakes.Part("c", 0, "c.0")));
        core.devices.add(Fakes.Status.free(new Fakes.Part("d", 0, "gone")));
        assertThat(Fakes.run(devices).out().lines()).hasSize(4);
    }

    @Test
    void anEmptyListPrintsItsHeader() {
        platform.core = core;
        assertThat(Fakes.run(devices).out()).isEqualTo("DEVICE  ID  CLASS  DRIVER\n");
        assertThat(Fakes.run(devices, "--json").out()).isEqualTo("[]\n");
    }

    @Test
    void withoutACoreASentenceNamesItsBundle() {
        assertThat(Fakes.run(devices)).isEqualTo(new Fakes.Answer(1, "",
                "manafold: There is no driver core on this platform: its bundle io.manafold.bus is missing or stopped. "
                        + "'lb' lists the bundles, 'start' starts one. (EOPNOTSUPP)\n"));
    }
}
