package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.manafold.uring.Rings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The system calls that queues count are those that strace sees. */
@Timeout(300)
class SystemCallsTest {
    private static final Path STRACE = Path.of("/usr/bin/strace");
    /** What a ring and its sockets are entered by; a write of eight bytes wakes it. */
    private static final List<String> CALLS = List.of("io_uring_enter", "io_uring_register", "write", "setsockopt",
            "getsockopt", "getsockname", "getpeername", "shutdown");

    @TempDir
    Path folder;

    @BeforeAll
    static void ringsAreAllowed() {
        Rings.areAllowed();
    }

    private static long calls(String table, String name) {
        Matcher row = Pattern.compile("(?m)^\\s*\\S+\\s+\\S+\\s+\\S+\\s+(\\d+)\\s.*\\b" + name + "$").matcher(table);
        return row.find() ? Long.parseLong(row.group(1)) : 0;
    }

    @Test
    void straceSeesAsManyAsAreCounted() throws Exception {
        assumeTrue(Files.isExecutable(STRACE), "strace is not installed (strace)");
        Path table = folder.resolve("table");
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Process process = new ProcessBuilder(STRACE.toString(), "-f", "-c", "-o", table.toString(), "-e", "trace="
                + String.join(",", CALLS), Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", path,
                CountedStreams.class.getName()).redirectErrorStream(true).start();
        String said;
        try {
            process.getOutputStream().close();
            said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        assumeTrue(!said.contains("PTRACE"), () -> "this process may not trace: " + said);
        assertThat(process.exitValue()).as(said).isZero();
        Matcher counted = Pattern.compile("counted: (\\d+)").matcher(said);
        assertThat(counted.find()).as(said).isTrue();
        String rows = Files.readString(table);
        long seen = CALLS.stream().mapToLong(name -> calls(rows, name)).sum();
        assertThat(calls(rows, "write")).as("wakes%n%s", rows).isPositive();
        assertThat(seen).as("system calls in%n%s", rows).isCloseTo(Long.parseLong(counted.group(1)),
                Percentage.withPercentage(2));
    }
}
