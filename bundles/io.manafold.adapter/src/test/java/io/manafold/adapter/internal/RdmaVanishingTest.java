package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RdmaVanishingTest {
    @Test
    void aShortenedFileEndsWhatUsesItAndNothingElse() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
                RdmaVanishing.class.getName()).redirectErrorStream(true).start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            reader.lines().forEach(lines::add);
            assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as("what it said: %s", lines).isZero();
        for (String part : List.of("DATA", "RINGS", "COMPLETIONS", "ALL", "NOTHING")) {
            assertThat(lines).contains(part + " of the sender: others go on", part + " of the receiver: others go on");
        }
        // where its completions are gone, an event is all that a driver can be told by
        assertThat(lines).contains("COMPLETIONS of the sender: the driver was told of it",
                "RINGS of the sender: the driver was told of it")
                .doesNotContain("NOTHING of the sender: the driver was told of it");
        assertThat(lines).last().isEqualTo("alive");
    }
}
