package io.manafold.itests.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What bundles register while all that they can make is there, they have said in their manifests. */
@Timeout(180)
class DeclaredServicesTest {
    /** A pair, what another has lent, RDMA, and a port that can be polled. */
    private static final String LAB = """
            adapters:
              - name: one
              - name: two
              - name: lent
              - name: polled
                address: 7870:00:07.0
            links:
              - name: net
                ports: [one/1, two/1, lent/1, polled/1]
            pairs:
              - name: eth1
                port: one/1
            exports:
              - adapter: lent
                socket: SOCKET
            borrow:
              - name: far
                socket: SOCKET
            devices:
              - name: mana0
                on: two/1
              - name: mana1
                on: far/1
              - name: mana2
                on: polled/1
            """;
    private static final Set<String> PACKAGES = Set.of("io.manafold.api.device", "io.manafold.shell");
    private static final String DEVICE = "io.manafold.api.net.NetDevice";

    private final Jars jars;
    @TempDir
    private Path temporary;

    DeclaredServicesTest() throws IOException {
        jars = new Jars();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsRegisteredIsDeclared(Host.Kind kind) throws Exception {
        Path data = temporary.resolve("data");
        Files.writeString(Files.createDirectories(data.resolve("labs")).resolve("wide.yaml"),
                LAB.replace("SOCKET", temporary.resolve("lent.sock").toString()));
        try (Host host = new Host(kind, jars, temporary.resolve("storage"),
                new TreeMap<>(Map.of("manafold.data", data.toString())));
                ConfiguredServices made = new ConfiguredServices(host)) {
            host.start(Features.bundles(Features.read("all")).stream().map(jars::file).toList());
            host.await("labs", () -> host.has("io.manafold.api.lab.Labs", null));
            Object labs = host.context().getService(host.context().getServiceReference("io.manafold.api.lab.Labs"));
            labs.getClass().getMethod("up", String.class).invoke(labs, "wide");
            for (String name : new String[] {"mana0", "mana1", "mana2", "eth1"}) {
                host.await(name, () -> host.has(DEVICE, "(name=" + name + ")"));
            }
            host.await("RDMA", () -> host.has("io.manafold.api.rdma.RdmaDevice", "(name=mana_0)"));
            made.poll("7870:00:07.0");
            host.await("a port in poll mode", () -> host.has("io.manafold.api.ethdev.EthDev", null));
            assertThat(host.undeclaredServices()).isEmpty();
        }
    }

    /** Not by the beginning of its name. */
    @Test
    void whatIsNotDeclaredIsFound() {
        assertThat(Host.undeclared("a", new String[] {"io.manafold.api.device.Driver"},
                List.of(List.of("io.manafold.api.device.DriverCore")), PACKAGES))
                .containsExactly("a registers io.manafold.api.device.Driver");
        assertThat(Host.undeclared("a", new String[] {"io.manafold.api.device.Driver", "java.lang.Runnable"},
                List.of("io.manafold.api.device.Driver"), PACKAGES)).isEmpty();
        assertThat(Host.undeclared("a", new String[] {"io.manafold.shell.Command", "a.internal.Own"}, List.of(),
                PACKAGES)).containsExactly("a registers io.manafold.shell.Command");
    }
}
