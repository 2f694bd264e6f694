package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The project of a driver author: copied away, built with what the release folder has, and its driver dropped in. */
@Timeout(300)
class ExampleProjectTest {
    @TempDir
    Path folder;

    private Path build() throws IOException {
        StrangersBuild built = new StrangersBuild("driver", folder);
        assertThat(built.file("target/surefire-reports/org.example.first.FirstDriverTest.txt")).isRegularFile();
        assertThat(built.file("target/test-reports/drives/TEST-first-driver-tests-1.0.0.xml")).content()
                .contains("org.example.drives.DrivesTest").contains("failures=\"0\"", "errors=\"0\"");
        return built.file("target/first-driver-1.0.0.jar");
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
