package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The project of an embedder: copied away, built with what the release folder has; its test runs a framework. */
@Timeout(300)
class ExampleEmbedderTest {
    @TempDir
    Path folder;

    @Test
    void itsFrameworkHasDevicesThatMoveAPacket() throws IOException {
        StrangersBuild built = new StrangersBuild("embedder", folder);
        assertThat(Files.readString(built.file("target/surefire-reports/org.example.embedder.EmbeddedTest.txt")))
                .contains("Tests run: 2, Failures: 0, Errors: 0, Skipped: 0");
        // as its page says
        Run.Ended ended = Run.of(Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "--sun-misc-unsafe-memory-access=allow", "-jar", "target/first-embedder-1.0.0.jar",
                StrangersBuild.RELEASED.toString(), StrangersBuild.version()).in(built.file("")).end().done();
        assertThat(ended.out()).contains("mana0: ", "a packet from mana0 to mana1");
        assertThat(ended.err()).doesNotContain("WARNING");
    }
}
