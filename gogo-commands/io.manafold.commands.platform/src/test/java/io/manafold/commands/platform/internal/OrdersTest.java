package io.manafold.commands.platform.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.api.device.DeviceMatch;
import io.manafold.shell.Candidate;
import io.manafold.shell.Command;
import io.manafold.shell.Syntax;
import io.manafold.shell.Typed;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OrdersTest {
    private final Platform platform = new Platform();
    private final Fakes.Core core = new Fakes.Core();
    private final Command override = new OverrideCommand(platform);

    @BeforeEach
    void fill() {
        platform.core = core;
        core.devices.add(Fakes.Status.bound(new Fakes.Function("7870:00:00.0"), "ethernet", "1.1.0")
                .only("ethernet", "1.1.0"));
        core.drivers.add(new Fakes.Driver("ethernet", "1.0.0", "io.manafold.ethernet",
                List.of(new DeviceMatch.Pci(0x1414, 0x00ba), new DeviceMatch.Auxiliary("mana.eth")), List.of()));
        core.drivers.add(new Fakes.Driver("ethernet", "1.1.0", "io.manafold.ethernet", List.of(),
                List.of("7870:00:00.0")));
    }

    @Test
    void bindUnbindAndOverrideReachTheCore() {
        assertThat(Fakes.run(new BindCommand(platform), "d").status()).isZero();
        assertThat(Fakes.run(new BindCommand(platform), "d", "ethernet").status()).isZero();
        assertThat(Fakes.run(new BindCommand(platform), "d", "ethernet", "1.0.0").status()).isZero();
        assertThat(Fakes.run(new UnbindCommand(platform), "d").status()).isZero();
        assertThat(Fakes.run(override, "d", "ethernet", "1.0.0").status()).isZero();
        assertThat(Fakes.run(override, "d", "--clear").status()).isZero();
        assertThat(core.orders).containsExactly("bind d null", "bind d ethernet", "bind d ethernet 1.0.0",
                "unbind d null", "override d ethernet 1.0.0", "override d null");
    }

    @Test
    void wrongFormsAreWrongUsage() {
        assertThat(Fakes.run(new BindCommand(platform)).status()).isEqualTo(2);
        assertThat(Fakes.run(new BindCommand(platform), "a", "b", "c", "d").status()).isEqualTo(2);
        assertThat(Fakes.run(new UnbindCommand(platform), "d", "--json").status()).isEqualTo(2);
        assertThat(Fakes.run(override, "d").status()).isEqualTo(2);
        assertThat(Fakes.run(override, "--clear").status()).isEqualTo(2);
        assertThat(Fakes.run(override, "d", "ethernet", "--clear").status()).isEqualTo(2);
        assertThat(Fakes.run(override, "d", "ethernet", "--json").status()).isEqualTo(2);
        assertThat(core.orders).isEmpty();
    }

    @Test
    void aRefusalIsASentence() {
        assertThat(Fakes.run(new UnbindCommand(platform), "nosuch"))
                .isEqualTo(new Fakes.Answer(1, "", "manafold: There is no device 'nosuch'. (ENODEV)\n"));
    }

    @Test
    void overridesAndDriversAreListed() {
        assertThat(Fakes.run(override).out()).isEqualTo("""
                DEVICE        DRIVER    VERSION
                7870:00:00.0  ethernet  1.1.0
                """);
        assertThat(Fakes.run(new DriversCommand(platform)).out()).isEqualTo("""
                NAME      VERSION  BUNDLE                DRIVES                     DEVICES
                ethernet  1.0.0    io.manafold.ethernet  pci 1414:00ba,             –
                                                         auxiliary mana.eth
                ethernet  1.1.0    io.manafold.ethernet  –                          7870:00:00.0
                """);
        assertThat(Fakes.run(new DriversCommand(platform), "--json").out().replaceAll("\\s", "")).startsWith(
                "[{\"name\":\"ethernet\",\"version\":\"1.0.0\",\"bundle\":\"io.manafold.ethernet\","
                        + "\"drives\":[\"pci1414:00ba\",\"auxiliarymana.eth\"],\"devices\":[]}");
        core.drivers.clear();
        assertThat(Fakes.run(new DriversCommand(platform)).out()).isEqualTo("NAME  VERSION  BUNDLE  DRIVES  DEVICES\n");
        assertThat(Fakes.run(new DriversCommand(platform), "--json").out()).isEqualTo("[]\n");
    }

    @Test
    void devicesDriversAndVersionsAreCompleted() {
        Syntax syntax = new BindCommand(platform).syntax();
        assertThat(candidates(syntax, 0, "")).containsExactly("7870:00:00.0");
        assertThat(candidates(syntax, 1, "")).containsExactly("ethernet");
        assertThat(candidates(syntax, 2, "ethernet")).containsExactly("1.0.0", "1.1.0");
        assertThat(candidates(syntax, 2, "rdma")).isEmpty();
        platform.core = null;
        assertThat(candidates(syntax, 0, "")).isEmpty();
    }

    private static List<String> candidates(Syntax syntax, int place, String driver) {
        return syntax.arguments().get(place).completer().candidates(new Typed() {
            @Override
            public String prefix() {
                return "";
            }

            @Override
            public List<String> words() {
                return List.of();
            }

            @Override
            public Optional<String> argument(String name) {
                return name.equals("DRIVER") ? Optional.of(driver) : Optional.empty();
            }
        }).stream().map(Candidate::value).toList();
    }
}
