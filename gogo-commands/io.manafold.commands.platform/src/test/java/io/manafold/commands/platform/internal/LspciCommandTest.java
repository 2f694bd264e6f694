package io.manafold.commands.platform.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.DeviceMatch;
import io.manafold.api.device.PciId;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LspciCommandTest {
    private final Platform platform = new Platform();
    private final LspciCommand lspci = new LspciCommand(platform);
    private final Fakes.Core core = new Fakes.Core();
    private final Fakes.Function mana = new Fakes.Function("7870:00:00.0").bar(0, 32 << 20, 0xfc0000000L);

    @BeforeEach
    void fill() {
        mana.config.putShort(0x04, (short) 0x0006);
        mana.config.putShort(0x06, (short) 0x0010);
        mana.config.put(0x34, (byte) 0x40);
        mana.config.putInt(0x40, 0x0002_7010);
        mana.config.putInt(0x70, 0x8020_0011);
        mana.config.putInt(0x100, 0x0001_000e);
        Fakes.Function other = new Fakes.Function("0000:00:01.0", new PciId(0x1234, 0x5678, 0, 0, 0x0b4000, 2));
        platform.functions = List.of(mana, other);
        platform.core = core;
        core.devices.add(Fakes.Status.bound(mana, "ethernet", "1.0.0"));
        core.drivers.add(new Fakes.Driver("ethernet", "1.0.0", "io.manafold.ethernet",
                List.of(new DeviceMatch.Pci(0x1414, 0x00ba)), List.of("7870:00:00.0")));
    }

    @Test
    void oneLineForEachByAddress() {
        assertThat(Fakes.run(lspci).out()).isEqualTo("""
                0000:00:01.0 Class 0b40: Vendor 1234 Device 5678 (rev 02)
                7870:00:00.0 Ethernet controller: Microsoft Corporation Device 00ba
                """);
        assertThat(Fakes.run(lspci, "-n").out()).isEqualTo("""
                0000:00:01.0 0b40: 1234:5678 (rev 02)
                7870:00:00.0 0200: 1414:00ba
                """);
        assertThat(Fakes.run(lspci, "-nn").out()).contains(
                "7870:00:00.0 Ethernet controller [0200]: Microsoft Corporation Device [1414:00ba]\n");
        assertThat(Fakes.run(lspci, "-nnk", "-d1414:").out()).startsWith(
                "7870:00:00.0 Ethernet controller [0200]: Microsoft Corporation Device [1414:00ba]\n\tSubsystem: ");
    }

    @Test
    void verboseHasTheLabelsOfTheRealTool() {
        assertThat(Fakes.run(lspci, "-v", "-s", "7870:00:00.0").out()).isEqualTo("""
                7870:00:00.0 Ethernet controller: Microsoft Corporation Device 00ba
                \tSubsystem: Microsoft Corporation Device 00ba
                \tFlags: bus master, fast devsel, latency 0
                \tMemory at fc0000000 (64-bit, prefetchable) [size=32M]
                \tCapabilities: [40] Express (v2) Endpoint, MSI 00
                \tCapabilities: [70] MSI-X: Enable+ Count=33 Masked-
                \tCapabilities: [100] Alternative Routing-ID Interpretation (ARI)
                \tKernel driver in use: ethernet
                \tKernel modules: io.manafold.ethernet

                """);
    }

    @Test
    void kernelShowsDrivers() {
        assertThat(Fakes.run(lspci, "-k", "-d", "1414:00ba:0200").out()).isEqualTo("""
                7870:00:00.0 Ethernet controller: Microsoft Corporation Device 00ba
                \tSubsystem: Microsoft Corporation Device 00ba
                \tKernel driver in use: ethernet
                \tKernel modules: io.manafold.ethernet
                """);
    }

    @Test
    void filtersByIdAndSlot() {
        assertThat(Fakes.run(lspci, "-d", ":5678").out().lines()).hasSize(1);
        assertThat(Fakes.run(lspci, "-d", "*:*:0200").out().lines()).hasSize(1);
        assertThat(Fakes.run(lspci, "-d", "8086:").out()).isEmpty();
        assertThat(Fakes.run(lspci, "-s", ".0").out().lines()).hasSize(2);
        assertThat(Fakes.run(lspci, "-s", "00:01").out().lines()).hasSize(1);
        for (String bad : List.of("1414", "g:", "12345:", "1:2:3:4:5", "-1:")) {
            assertThat(Fakes.run(lspci, "-d", bad).status()).as(bad).isEqualTo(2);
        }
        for (String bad : List.of("1:2:3:4", "00:20.0", "00:00.8", "xx")) {
            assertThat(Fakes.run(lspci, "-s", bad).status()).as(bad).isEqualTo(2);
        }
    }

    @Test
    void hostileConfigurationSpaceEnds() {
        mana.config.putInt(0x70, 0x8020_4011);
        mana.config.putInt(0x100, 0x1001_000e);
        assertThat(Fakes.run(lspci, "-v").out()).contains("[40] <chain looped>").contains("[100] <chain looped>");
        for (int i = 0; i < mana.config.capacity(); i++) {
            mana.config.put(i, (byte) 0xff);
        }
        assertThat(Fakes.run(lspci, "-v").out()).contains("\t!!! Unknown header type 7f\n");
        assertThat(Fakes.run(lspci, "--json").status()).isZero();
    }

    @Test
    void jsonHasEverythingAndEmptyIsAnEmptyArray() {
        String json = Fakes.run(lspci, "-d", "1414:", "--json").out().replaceAll("\\s", "");
        assertThat(json).startsWith("[{\"slot\":\"7870:00:00.0\",\"class\":\"0200\","
                        + "\"class_name\":\"Ethernetcontroller\"")
                .contains("\"memory\":[{\"bar\":0,\"address\":\"fc0000000\",\"size\":33554432,")
                .contains("MSI-X:Enable+Count=33Masked-").contains("\"driver\":\"ethernet\"");
        assertThat(Fakes.run(lspci, "-d", "8086:", "--json").out()).isEqualTo("[]\n");
    }

    @Test
    void worksWithoutADriverCore() {
        platform.core = null;
        assertThat(Fakes.run(lspci, "-k").out()).doesNotContain("Kernel");
        assertThat(Fakes.run(lspci, "-k").status()).isZero();
    }
}
