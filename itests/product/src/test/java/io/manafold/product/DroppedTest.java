package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bundles that harm themselves, dropped beside one that is good. */
class DroppedTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private Path drivers;

    private Run start(String jar) throws IOException {
        return Run.jar(jar, Files.createDirectories(folder.resolve("run")), "--headless", "--data",
                folder.resolve("home").toString()).start();
    }

    private void makeHome() throws IOException {
        Run.manafold("--data", folder.resolve("home").toString(), "-c", "drivers").end().done();
        drivers = Files.createDirectories(folder.resolve("home/drivers"));
    }

    private String attached(String line) {
        return Run.manafold("attach", "--data", folder.resolve("home").toString(), "-c", line).end().out();
    }

    private void awaitSaid(String line, String... words) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        String said = attached(line);
        while (!List.of(words).stream().allMatch(said.replaceAll("\\s+", " ")::contains)) {
            assertThat(System.nanoTime()).as("'%s' says %s", line, said).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000_000);
            said = attached(line);
        }
    }

    private void dropAll() throws IOException {
        ActivatorJar.make(drivers.resolve("a-hangs.jar"), "hangs", "hang();", "");
        write(drivers.resolve("b-long.jar"), "n.".repeat(60_000) + "n");
        newerDriver(drivers.resolve("c-good.jar"));
    }

    private void badOnesAreNamedAndTheGoodOneIsBound() {
        awaitSaid("drivers --json", "1.1.0");
        awaitSaid("events --json", "c-good.jar",
                "b-long.jar is refused: its Bundle-SymbolicName has 120001 characters");
        awaitSaid("events --json", "a-hangs.jar is refused: the start of its bundle has not returned within 10000 ms");
        assertThat(attached("ip -br link")).contains("mana0");
    }

    @ParameterizedTest
    @MethodSource(Jars.FELIX)
    void theGoodOneBindsAndTheOthersAreNamed(String jar) throws IOException {
        makeHome();
        try (Run run = start(jar)) {
            run.awaitOut("ready\n");
            dropAll();
            badOnesAreNamedAndTheGoodOneIsBound();
            Files.delete(drivers.resolve("c-good.jar"));
            awaitSaid("events --json", "c-good.jar: io.manafold.ethernet 1.1.0 was removed");
        }
    }

    @ParameterizedTest
    @MethodSource(Jars.EQUINOX)
    void whatLiesThereAtStartDoesNotHoldUpTheStart(String jar) throws IOException {
        makeHome();
        dropAll();
        try (Run run = start(jar)) {
            run.awaitOut("ready\n");
            assertThat(attached("events --json")).as("events of a platform that is ready")
                    .doesNotContain("has not returned within");
            badOnesAreNamedAndTheGoodOneIsBound();
            run.terminate();
            Run.Ended ended = run.ended(PATIENCE);
            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.err()).contains("manafold-dropin a-hangs.jar");
        }
    }

    private static void write(Path jar, String symbolicName) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Bundle-ManifestVersion", "2");
        manifest.getMainAttributes().putValue("Bundle-SymbolicName", symbolicName);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
            out.finish();
        }
    }

    /** The platform's own Ethernet driver, as version 1.1.0. */
    static void newerDriver(Path jar) throws IOException {
        Path built;
        try (var files = Files.newDirectoryStream(Run.TOP.resolve("bundles/io.manafold.ethernet/target"),
                "io.manafold.ethernet-*T.jar")) {
            built = files.iterator().next();
        }
        try (JarFile source = new JarFile(built.toFile())) {
            Manifest manifest = source.getManifest();
            manifest.getMainAttributes().putValue("Bundle-Version", "1.1.0");
            Path part = jar.resolveSibling("part");
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(part), manifest)) {
                for (JarEntry entry : source.stream().filter(each -> !each.getName().equals(JarFile.MANIFEST_NAME))
                        .toList()) {
                    out.putNextEntry(new JarEntry(entry.getName()));
                    source.getInputStream(entry).transferTo(out);
                }
            }
            Files.move(part, jar);
        }
    }
}
