package io.manafold.adapter.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CrowdTest {
    /** The heap that the start script gives the platform. */
    private static final String HEAP = "-Xmx384m";

    @Test
    void eightHostileDriversDoNotFillTheHeapAndTheNinthComesUp() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xms64m", "-Xmn40m", HEAP, "-cp",
                System.getProperty("java.class.path"), Crowd.class.getName()).redirectErrorStream(true).start();
        try {
            List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines()
                    .toList();
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as("what it said: %s", lines).isZero();
            assertThat(lines).contains("ninth passes frames", "heap is back", "budget is back");
            assertThat(lines).filteredOn(line -> line.startsWith("hostile ")).hasSize(8);
        } finally {
            process.destroyForcibly();
        }
    }
}
