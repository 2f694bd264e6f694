package io.manafold.lent;

import static org.assertj.core.api.Assertions.assertThat;

import io.manafold.memory.DmaArena;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The platform as its start script starts it, eight hostile guests at their limits, and a ninth that wants to work. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class EightGuestsTest {
    private static final Path TOP = Path.of("..", "..").toAbsolutePath().normalize();
    private static final int HOSTILE = 8;
    private static final long GIB = 1 << 30;

    @TempDir
    Path folder;

    private Process platform;

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(TOP.resolve("manafold").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("MANAFOLD_BUILD", "never");
        return builder.start();
    }

    @AfterEach
    void end() {
        if (platform != null) {
            platform.destroyForcibly();
        }
    }

    private void startPlatform() throws IOException {
        StringBuilder lab = new StringBuilder("# Eight guests and a ninth\nadapters:\n");
        StringBuilder exports = new StringBuilder("exports:\n");
        for (int guest = 0; guest < HOSTILE; guest++) {
            lab.append("  - name: g").append(guest).append('\n');
            exports.append("  - {adapter: g").append(guest).append(", socket: ").append(socket("g" + guest))
                    .append("}\n");
        }
        lab.append("  - {name: ninth, ports: 2}\nlinks:\n  - {name: net, ports: [ninth/1, ninth/2]}\n").append(exports)
                .append("  - {adapter: ninth, socket: ").append(socket("ninth")).append("}\n");
        Path file = Files.writeString(folder.resolve("eight.yaml"), lab);
        platform = start("--headless", "--data", folder.resolve("home").toString(), "--lab", file.toString());
        StringBuilder said = new StringBuilder();
        while (said.indexOf("ready\n") < 0) {
            int next = platform.getInputStream().read();
            assertThat(next).as("ended with: %s", said).isNotNegative();
            said.append((char) next);
        }
    }

    private Path socket(String guest) {
        return folder.resolve(guest + ".sock");
    }

    /** What the prompt answers; that it answers is a part of what is seen here. */
    private String attached(String line) throws IOException, InterruptedException {
        Process client = start("attach", "--data", folder.resolve("home").toString(), "-c", line);
        try {
            client.getOutputStream().close();
            String said = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(client.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(client.exitValue()).as(said).isZero();
            return said;
        } finally {
            client.destroyForcibly();
        }
    }

    /** Kilobytes as the kernel counts them. */
    private long kernel(String key) {
        try (Stream<String> status = Files.lines(Path.of("/proc/" + platform.pid() + "/status"))) {
            return status.filter(line -> line.startsWith(key + ":"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).findFirst().orElseThrow() << 10;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Test
    void theNinthWorksAndAllIsBackWhenTheOthersHaveLeft() throws Exception {
        startPlatform();
        attached("adapter limits ninth");
        long addresses = kernel("VmSize");
        List<Greedy> guests = new ArrayList<>();
        try {
            for (int guest = 0; guest < HOSTILE; guest++) {
                guests.add(new Greedy(socket("g" + guest)));
                guests.getLast().takeEverything();
                attached("drivers");
            }
            assertThat(kernel("VmSize") - addresses).as("what they have mapped").isGreaterThan(1024 * GIB);
            ninthWorks();
            assertThat(attached("events --json")).doesNotContain("OutOfMemory");
        } finally {
            guests.forEach(Greedy::close);
        }
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (kernel("VmSize") - addresses > GIB || !attached("vfio list --json").contains("\"objects\": 0")
                || attached("vfio list --json").matches("(?s).*\"objects\": [1-9].*")) {
            assertThat(System.nanoTime()).as("%s", attached("vfio list --json")).isLessThan(deadline);
            Thread.sleep(200);
        }
        ninthWorks();
        assertThat(platform.isAlive()).isTrue();
    }

    private void ninthWorks() throws IOException, InterruptedException {
        try (Borrowed function = new Borrowed(socket("ninth"));
                DmaArena memory = new DmaArena(function.dma(), "ninth", 1L << 32, 512 << 20)) {
            Traffic traffic = new Traffic(function, memory);
            traffic.start();
            traffic.await(1000);
            attached("drivers");
            traffic.stop();
            traffic.close();
        }
    }
}
