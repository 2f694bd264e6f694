package io.manafold.sockets.internal.uring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What limits of a user or a service do not take: each stream is carried, over rings or without them. */
@Timeout(300)
class LimitsTest {
    private static String streams(String limit, String... words) throws IOException, InterruptedException {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(List.of("sh", "-c", limit + "exec \"$@\"", "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", path,
                LimitedStreams.class.getName()));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            assertThat(said).containsPattern("passed: [1-9]\\d");
            return said;
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void noMemoryMayBeLocked() throws Exception {
        assertThat(streams("ulimit -l 0; "))
                .containsPattern("rings: (the transport nio carries it: .*ulimit -l|what is asked together)");
    }

    @Test
    void fewDescriptors() throws Exception {
        streams("ulimit -n 64; ");
    }

    @Test
    void ringsAreForbidden() throws Exception {
        assertThat(streams("", "no-rings")).contains("rings: the transport nio carries it",
                "io_uring is forbidden here");
    }
}
