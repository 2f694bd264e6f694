package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The platform as a service of systemd: what it tells the manager, and what the unit allows it. */
@Timeout(300)
class ServiceTest {
    private static final Path UNIT = Run.TOP.resolve("release/manafold@.service");
    private static final Pattern EXPOSURE = Pattern.compile("exposure level for \\S+: ([0-9.]+)");
    private static final double MOST_EXPOSED = 2.0;
    private static final String MANAGER = """
            import socket, sys
            s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            s.bind(sys.argv[1])
            print('bound', flush=True)
            while True:
                print(s.recv(4096).decode(), flush=True)
            """;

    @TempDir
    Path folder;

    @Test
    void theManagerIsToldWhenItIsUpAndWhenItEnds() throws Exception {
        assumeTrue(Run.of("sh", "-c", "command -v python3").end().status() == 0, "python3 is installed");
        Path socket = folder.resolve("notify");
        Process manager = new ProcessBuilder("python3", "-c", MANAGER, socket.toString()).redirectErrorStream(true)
                .start();
        try (BufferedReader told = new BufferedReader(new InputStreamReader(manager.getInputStream(),
                StandardCharsets.UTF_8))) {
            assertThat(told.readLine()).isEqualTo("bound");
            try (Run platform = Run.manafold("--headless", "--data", folder.resolve("data").toString())
                    .with("NOTIFY_SOCKET", socket.toString()).start()) {
                assertThat(told.readLine()).isEqualTo("READY=1");
                platform.awaitOut("ready\n");
                platform.process().destroy();
                assertThat(told.readLine()).isEqualTo("STOPPING=1");
            }
        } finally {
            manager.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void aManagerThatIsGoneKeepsNothingFromComingUp() throws Exception {
        try (Run platform = Run.manafold("--headless", "--data", folder.toString())
                .with("NOTIFY_SOCKET", folder.resolve("nowhere").toString()).start()) {
            platform.awaitOut("ready\n");
            assertThat(platform.process().isAlive()).isTrue();
        }
    }

    @Test
    void theUnitIsInOrderAndAllowsLittle() throws Exception {
        assumeTrue(Run.of("sh", "-c", "command -v systemd-analyze").end().status() == 0,
                "systemd-analyze is installed");
        Path unit = folder.resolve("manafold@default.service");
        // there is no archive below /opt here
        Files.writeString(unit, Files.readString(UNIT).replace("/opt/manafold/bin/manafold", "/bin/true"));
        Run.Ended verified = Run.of("systemd-analyze", "verify", "--man=no", unit.toString()).end().done();
        assertThat(verified.out() + verified.err()).isEmpty();
        String said = Run.of("systemd-analyze", "security", "--offline=true", "--no-pager", unit.toString()).end()
                .done().out();
        Matcher exposure = EXPOSURE.matcher(said);
        assertThat(exposure.find()).as(said).isTrue();
        assertThat(Double.parseDouble(exposure.group(1))).isLessThanOrEqualTo(MOST_EXPOSED);
    }
}
