package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The example for sockets in the program: a JAR with the store and a JAR with nothing but its configuration are dropped
 * into the same folder, and Debian's redis-cli is served. Beside it a block of memory that TCP and RDMA share.
 */
@Timeout(600)
class StoreTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String STORE = "io.manafold.example.store";

    @TempDir
    Path folder;

    private Path home;
    private Path drivers;

    private String attached(String line) {
        return Run.manafold("attach", "--data", home.toString(), "-c", line).end().done().out();
    }

    /** Ports at which the store listens over a transport. */
    private List<Integer> ports(String transport) {
        try (JsonReader reader = Json.createReader(new StringReader(attached("sock list --json")))) {
            return reader.readArray().getValuesAs(JsonObject.class).stream()
                    .filter(one -> one.getString("state").equals("listening") && one.getString("transport")
                            .equals(transport))
                    .map(one -> Integer.parseInt(one.getString("local").replaceFirst(".*:", ""))).toList();
        }
    }

    private int awaitPort(String transport) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        List<Integer> ports = ports(transport);
        while (ports.isEmpty()) {
            assertThat(System.nanoTime()).as("a store listens over %s", transport).isLessThan(deadline);
            LockSupport.parkNanos(100_000_000);
            ports = ports(transport);
        }
        assertThat(ports).hasSize(1);
        return ports.getFirst();
    }

    private void drop(String name, Path built) throws IOException {
        Path part = Files.copy(built, drivers.resolve(name + ".part"), StandardCopyOption.REPLACE_EXISTING);
        Files.move(part, drivers.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    /** A bundle without a class, which the platform's configurator reads. */
    private void dropConfiguration(int clients) throws IOException {
        StringBuilder text = new StringBuilder("{\n");
        for (String transport : List.of("nio", "uring")) {
            text.append("""
                      "%s~%s": {
                        "address": "127.0.0.1:0", "mebibytes:Integer": 8, "clients:Integer": %d,
                        "sockets.target": "(transport=%s)", "knobs": ["prefer:memory=registered"]
                      }%s
                    """.formatted(STORE, transport, clients, transport, transport.equals("nio") ? "," : "\n}"));
        }
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Bundle-ManifestVersion", "2");
        main.putValue("Bundle-SymbolicName", "my.store.configuration");
        main.putValue("Bundle-Version", "1.0." + clients);
        main.putValue("Require-Capability", "osgi.extender;filter:=\"(&(osgi.extender=osgi.configurator)(version>=1.0)"
                + "(!(version>=2.0)))\"");
        Path jar = folder.resolve("configuration.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.putNextEntry(new JarEntry("OSGI-INF/configurator/store.json"));
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        }
        drop("configuration.jar", jar);
    }

    /** How redis-cli has ended, and what it said. */
    private record Said(int status, String text) {
    }

    private String redis(int port, String... words) throws IOException, InterruptedException {
        Said said = ask(port, words);
        assertThat(said.status).as(said.text).isZero();
        return said.text;
    }

    private Said ask(int port, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("redis-cli", "-h", "127.0.0.1", "-p", Integer.toString(port)));
        command.addAll(List.of(words));
        Process asking = new ProcessBuilder(command).redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true).start();
        try {
            String said = new String(asking.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(asking.waitFor(60, TimeUnit.SECONDS)).as("redis-cli ends").isTrue();
            return new Said(asking.exitValue(), said.strip());
        } finally {
            asking.destroyForcibly();
        }
    }

    @Test
    void itListensWhereADroppedConfigurationSaysAndServesRedisCli() throws Exception {
        assumeTrue(Host.isThere("redis-cli"), "redis-cli is not installed (redis-tools)");
        home = folder.resolve("home");
        try (Run run = Run.manafold("--headless", "--data", home.toString(), "--lab", "rdma-pingpong").start()) {
            run.awaitOut("ready\n");
            drivers = Files.createDirectories(home.resolve("drivers"));
            Path built;
            try (Stream<Path> files = Files.list(Run.TOP.resolve("itests").resolve(STORE).resolve("target"))) {
                built = files.filter(one -> one.getFileName().toString().matches(STORE + "-[0-9].*T\\.jar"))
                        .findFirst().orElseThrow();
            }
            drop("store.jar", built);
            dropConfiguration(7);
            for (String transport : List.of("nio", "uring")) {
                int port = awaitPort(transport);
                assertThat(redis(port, "SET", "greeting", "good day")).isEqualTo("OK");
                assertThat(redis(port, "GET", "greeting")).isEqualTo("good day");
                assertThat(redis(port, "INFO")).contains("transport:" + transport, "maxclients:7");
            }
            assertThat(attached("sock regions --json")).contains("\"store 127.0.0.1:0\"", STORE);

            // another one takes its place, and the store begins anew with it
            dropConfiguration(9);
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            // the port may be that of the one before, which ends meanwhile
            while (ports("nio").isEmpty() || !ask(awaitPort("nio"), "INFO").text.contains("maxclients:9")) {
                assertThat(System.nanoTime()).as("the store is as the new configuration says").isLessThan(deadline);
                LockSupport.parkNanos(100_000_000);
            }
            Files.delete(drivers.resolve("configuration.jar"));
            deadline = System.nanoTime() + PATIENCE.toNanos();
            while (!ports("nio").isEmpty() || !ports("uring").isEmpty()) {
                assertThat(System.nanoTime()).as("a store without a configuration is gone").isLessThan(deadline);
                LockSupport.parkNanos(100_000_000);
            }
            assertThat(attached("sock regions")).doesNotContain("store 127.0.0.1:0");
            oneBlockIsOfAllTransportsAndShownOnce();
        }
    }

    /** It is its bundle's, which closes nothing: all goes with the bundle. */
    private void oneBlockIsOfAllTransportsAndShownOnce() throws IOException {
        assertThat(attached("sock probe rdma")).contains("the device knows the memory");
        ActivatorJar.make(drivers.resolve("shared.jar"), "my.shared", """
                var memory = context.getService(context.getServiceReference(io.manafold.api.memory.MemorySource.class));
                var block = memory.make("shared", 1 << 20);
                for (var one : context.getServiceReferences(io.manafold.api.sockets.Sockets.class, null)) {
                    context.getService(one).register(block, io.manafold.api.sockets.Region.SEND);
                }
                block.close();
                """, "", List.of("io.manafold.api.sockets", "io.manafold.api.memory", "io.manafold.api.refusal"));
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        List<JsonObject> blocks = blocks("shared");
        while (blocks.isEmpty()) {
            assertThat(System.nanoTime()).as("the block is there").isLessThan(deadline);
            LockSupport.parkNanos(100_000_000);
            blocks = blocks("shared");
        }
        assertThat(blocks).as("a block is shown once").hasSize(1);
        List<JsonObject> holders = blocks.getFirst().getJsonArray("holders").getValuesAs(JsonObject.class);
        for (String transport : List.of("nio", "uring", "rdma")) {
            assertThat(holders).as(transport).filteredOn(one -> one.getString("who").contains("sockets " + transport))
                    .singleElement().satisfies(one -> assertThat(one.getInt("bytes")).isEqualTo(1 << 20));
        }
        assertThat(holders).as("functions whose devices read it").filteredOn(one -> one.isNull("key"))
                .isNotEmpty().allSatisfy(one -> assertThat(one.getString("who")).contains("mana"));
        Files.delete(drivers.resolve("shared.jar"));
        deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!blocks("shared").isEmpty()) {
            assertThat(System.nanoTime()).as("the block goes with its bundle").isLessThan(deadline);
            LockSupport.parkNanos(100_000_000);
        }
    }

    private List<JsonObject> blocks(String name) {
        try (JsonReader reader = Json.createReader(new StringReader(attached("sock regions --json")))) {
            return reader.readArray().getValuesAs(JsonObject.class).stream().filter(one -> one.getString("block")
                    .equals(name)).toList();
        }
    }
}
