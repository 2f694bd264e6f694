package io.manafold.inet.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class FailedTapTest {
    @Test
    void aTapThatIsNotOpenedForLackOfDescriptorsLeavesNothing() throws IOException, InterruptedException {
        assumeTrue("root".equals(System.getProperty("user.name")), "tap devices need root");
        Process process = new ProcessBuilder("sh", "-c", "ulimit -n 128; exec \"$@\"", "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-cp",
                System.getProperty("java.class.path"), FailedTaps.class.getName(),
                "mio" + ProcessHandle.current().pid() % 1_000_000).redirectErrorStream(true).start();
        try {
            List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines()
                    .toList();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as("what it said: %s", lines).isZero();
            assertThat(lines).filteredOn(line -> line.startsWith("one descriptor: ")).hasSize(64)
                    .allMatch(line -> line.endsWith("EMFILE"));
            assertThat(told(lines, "descriptors: ")).isZero();
            // each has a ring of 2 MiB, and some is the Java machine's own
            assertThat(told(lines, "bytes: ")).isLessThan(64 << 20);
        } finally {
            process.destroyForcibly();
        }
    }

    private static long told(List<String> lines, String what) {
        return Long.parseLong(lines.stream().filter(line -> line.startsWith(what)).findFirst().orElseThrow()
                .substring(what.length()));
    }
}
