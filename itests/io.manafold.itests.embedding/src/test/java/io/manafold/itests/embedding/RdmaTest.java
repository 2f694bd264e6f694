package io.manafold.itests.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** RDMA in frameworks of others: a bundle that knows two APIs, and the driver as a file that is dropped. */
@Timeout(120)
class RdmaTest {
    private static final String EXAMPLE = "io.manafold.example.rdma";
    private static final String DRIVER = "io.manafold.rdma";
    private static final String API = "io.manafold.api.rdma";
    private static final String DEVICE = "io.manafold.api.rdma.RdmaDevice";
    private static final String NETWORK = "io.manafold.api.net.NetDevice";
    private static final String WRITTEN = "1 request of 4096 bytes from mana_0 to mana_1: success, they are there";
    private static final Pattern RESOLVED = Pattern.compile("(?m)^\\s*([\\w.-]+);version=");

    private final Jars jars;
    private final PrintStream out = System.out;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    @TempDir
    private Path temporary;

    RdmaTest() throws IOException {
        jars = new Jars();
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void giveBackOutput() {
        System.setOut(out);
    }

    /** What the bundle has printed; others print too. */
    private List<String> said() {
        return said.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains(" bytes from mana_0 "))
                .toList();
    }

    private Path jar(String artifact) {
        return jars.only("io.manafold", artifact);
    }

    /** A framework with the feature {@code all} as far as wanted, and the lab with two adapters that speak RDMA. */
    private Host begin(Host.Kind kind, String... without) throws Exception {
        List<Path> files = new ArrayList<>(Features.bundles(Features.read("all")).stream().map(jars::file).toList());
        for (String artifact : without) {
            assertThat(files.remove(jar(artifact))).as("%s was in the feature", artifact).isTrue();
        }
        Path data = temporary.resolve("data");
        Files.createDirectories(data.resolve("drivers"));
        Host host = new Host(kind, jars, temporary.resolve("storage"), Map.of("manafold.data", data.toString()));
        host.start(files);
        host.await("labs", () -> host.has("io.manafold.api.lab.Labs", null));
        Object labs = host.context().getService(host.context().getServiceReference("io.manafold.api.lab.Labs"));
        labs.getClass().getMethod("up", String.class).invoke(labs, "rdma-pingpong");
        awaitBoth(host, NETWORK, "mana0", "mana1");
        return host;
    }

    private static void awaitBoth(Host host, String type, String... names) throws InterruptedException {
        for (String name : names) {
            host.await(name, () -> host.has(type, "(name=" + name + ")"));
        }
    }

    @Test
    void theBundleImportsTwoApisAndItsRequirementsBringTheDriver() throws IOException {
        try (JarFile example = new JarFile(jar(EXAMPLE).toFile())) {
            String imports = example.getManifest().getMainAttributes().getValue("Import-Package");
            assertThat(imports.replaceAll("\"[^\"]*\"", "").split(","))
                    .containsExactlyInAnyOrder("io.manafold.api.memory;version=", "io.manafold.api.rdma;version=");
        }
        Set<String> resolved = new TreeSet<>();
        Matcher lines = RESOLVED.matcher(Files.readString(Path.of(System.getProperty("manafold.rdma.composition"))));
        while (lines.find()) {
            resolved.add(lines.group(1));
        }
        assertThat(resolved).contains(EXAMPLE, DRIVER, API, "io.manafold.memory", "org.apache.felix.scr");
        List<String> feature = new ArrayList<>(List.of(EXAMPLE));
        for (String id : Features.bundles(Features.read("rdma"))) {
            try (JarFile bundle = new JarFile(jars.file(id).toFile())) {
                feature.add(bundle.getManifest().getMainAttributes().getValue("Bundle-SymbolicName").split(";")[0]);
            }
        }
        assertThat(feature).as("features/rdma.json has all that is required").containsAll(resolved);
    }

    @ParameterizedTest
    @EnumSource
    void theBundleWritesFromOneDeviceToTheOther(Host.Kind kind) throws Exception {
        try (Host host = begin(kind)) {
            awaitBoth(host, DEVICE, "mana_0", "mana_1");
            host.install(jar(EXAMPLE)).start();
            host.await("the bundle's line", () -> !said().isEmpty());
            assertThat(said()).containsExactly(WRITTEN);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theDriverIsDroppedIntoAPlatformWithoutIt(Host.Kind kind) throws Exception {
        try (Host host = begin(kind, DRIVER, API, "io.manafold.commands.rdma", "io.manafold.pmd",
                "io.manafold.doctor", "io.manafold.sockets.rdma")) {
            Path drivers = temporary.resolve("data/drivers");
            assertThat(host.has(DEVICE, null)).isFalse();
            assertThat(Stream.of(host.context().getBundles()).map(bundle -> bundle.getSymbolicName()))
                    .doesNotContain(DRIVER, API);
            // in the wrong order: each waits for what it needs
            Files.copy(jar(EXAMPLE), drivers.resolve("a.jar"));
            Files.copy(jar(DRIVER), drivers.resolve("b.jar"));
            Files.copy(jar(API), drivers.resolve("c.jar"));
            awaitBoth(host, DEVICE, "mana_0", "mana_1");
            host.await("the bundle's line", () -> !said().isEmpty());
            assertThat(said()).containsExactly(WRITTEN);
            Files.delete(drivers.resolve("b.jar"));
            host.await("no device", () -> !host.has(DEVICE, null));
            awaitBoth(host, NETWORK, "mana0", "mana1");
            Files.copy(jar(DRIVER), drivers.resolve("b.jar"));
            awaitBoth(host, DEVICE, "mana_0", "mana_1");
            host.await("the bundle's line again", () -> said().equals(List.of(WRITTEN, WRITTEN)));
        }
    }
}
