package io.manafold.adapter.internal.ethernet;

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

class VanishingMemoryTest {
    @Test
    void aShortenedFileEndsTheQueueThatUsesItAndNothingElse() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-cp",
                System.getProperty("java.class.path"), VanishingMemory.class.getName())
                .redirectErrorStream(true).start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            reader.lines().forEach(lines::add);
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }

        for (String kind : List.of("plain", "checksum")) {
            assertThat(lines).contains(
                    "PAYLOAD " + kind + " sender ended, receiver goes on, others work",
                    "SEND_RING " + kind + " sender ended, receiver goes on, others work",
                    "BUFFERS " + kind + " sender goes on, receiver ended, others work",
                    "RECEIVE_RING " + kind + " sender goes on, receiver ended, others work",
                    "NOTHING " + kind + " sender goes on, receiver goes on, others work");
        }
        assertThat(lines).last().isEqualTo("alive");
        assertThat(process.exitValue()).isZero();
    }
}
