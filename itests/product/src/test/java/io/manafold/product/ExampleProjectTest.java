package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The project of a driver author: copied away, built with what the release folder has, and its driver dropped in. */
@Timeout(300)
class ExampleProjectTest {
    private static final Path FETCHED = Path.of(System.getProperty("localRepository",
            System.getProperty("user.home") + "/.m2/repository"));

    @TempDir
    Path folder;

    /** What Maven has fetched of others, and nothing of ours. */
    private Path strangersRepository() throws IOException {
        Path repository = Files.createDirectory(folder.resolve("repository"));
        link(FETCHED, repository, "io");
        link(FETCHED.resolve("io"), Files.createDirectory(repository.resolve("io")), "manafold");
        return repository;
    }

    private static void link(Path from, Path into, String without) throws IOException {
        try (Stream<Path> all = Files.list(from)) {
            for (Path one : all.filter(one -> !one.endsWith(without)).toList()) {
                Files.createSymbolicLink(into.resolve(one.getFileName()), one);
            }
        }
    }

    private Path build() throws IOException {
        Path project = folder.resolve("first driver");
        Run.of("cp", "-r", Run.TOP.resolve("examples/driver").toString(), project.toString()).end().done();
        Run.of("mvn", "-B", "-ntp", "-o", "-q", "-Daether.offline.protocols=file", "-Dmaven.repo.local="
                + strangersRepository(), "-Dmanafold.repository=" + Run.TOP.resolve("release/target/repository"),
                "package")
                .in(project).with("JAVA_HOME", System.getProperty("java.home")).fed("", Duration.ofMinutes(2)).done();
        assertThat(project.resolve("target/surefire-reports/org.example.first.FirstDriverTest.txt")).isRegularFile();
        return project.resolve("target/first-driver-1.0.0.jar");
    }

    @Test
    void itsDriverIsBuiltAndDrives() throws Exception {
        Path jar = build();
        Path home = folder.resolve("home");
        String data = home.toString();
        try (Run run = Run.manafold("--headless", "--data", data).start()) {
            run.awaitOut("ready\n");
            Files.copy(jar, home.resolve("drivers/first.jar"));
            awaitDevices(data, "also claimed by first 1.0.0");
            assertThat(attached(data, "devices").out()).as("the narrower driver stays").doesNotContain("doorbells0");
            assertThat(attached(data, "override 7870:00:00.0 first; devices").done().out())
                    .contains("driver first 1.0.0", "doorbells0   pages of 4096 bytes from 0x");
            attached(data, "override 7870:00:00.0 --clear");
            Files.delete(home.resolve("drivers/first.jar"));
            awaitDevices(data, "driver ethernet 1.0.0");
        }
    }

    private static void awaitDevices(String data, String words) throws InterruptedException {
        while (!attached(data, "devices").out().contains(words)) {
            Thread.sleep(100);
        }
    }

    private static Run.Ended attached(String data, String line) {
        return Run.manafold("attach", "--data", data, "-c", line).end().done();
    }
}
