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
    /** As many seconds as {@code manafold.vanishing.seconds} says. */
    @Test
    void aFileThatComesAndGoesAtAnyInstantIsNoMistakeAndCostsNoNeighbour() throws IOException, InterruptedException {
        long seconds = Long.getLong("manafold.vanishing.seconds", 5);
        List<String> lines = run(VanishingFuzz.class, seconds + 120, Long.toString(seconds),
                Long.toString(System.nanoTime()));
        assertThat(lines).contains("mistakes 0", "neighbour lost 0 of many", "both ways seen");
    }

    @Test
    void aShortenedFileEndsTheQueueThatUsesItAndNothingElse() throws IOException, InterruptedException {
        List<String> lines = run(VanishingMemory.class, 120);
        for (String kind : List.of("plain", "checksum")) {
            assertThat(lines).contains(
                    "PAYLOAD " + kind + " sender ended, receiver goes on, others work",
                    "SEND_RING " + kind + " sender ended, receiver goes on, others work",
                    "BUFFERS " + kind + " sender goes on, receiver ended, others work",
                    "RECEIVE_RING " + kind + " sender goes on, receiver ended, others work",
                    // looked for where they are written, for later nothing tells whose they were
                    "COMPLETIONS " + kind + " sender goes on, receiver ended, others work",
                    "NOTHING " + kind + " sender goes on, receiver goes on, others work");
        }
        assertThat(lines).last().isEqualTo("alive");
    }

    private static List<String> run(Class<?> program, long seconds, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            reader.lines().forEach(lines::add);
            assertThat(process.waitFor(seconds, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as("what it said: %s", lines).isZero();
        return lines;
    }
}
