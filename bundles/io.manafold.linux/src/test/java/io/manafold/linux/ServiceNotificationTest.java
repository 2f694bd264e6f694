package io.manafold.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Python receives what a service manager would. */
@Timeout(60)
class ServiceNotificationTest {
    private static final String RECEIVER = """
            import socket, sys
            s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            n = sys.argv[1]
            s.bind('\\0' + n[1:] if n[0] == '@' else n)
            print('bound', flush=True)
            print(s.recv(4096).decode(), flush=True)
            """;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsSentArrives(boolean hidden) throws Exception {
        assumeTrue(new ProcessBuilder("sh", "-c", "command -v python3").start().waitFor() == 0, "python3 is installed");
        String socket = hidden ? "@manafold-test-" + ProcessHandle.current().pid() : folder.resolve("s").toString();
        Process receiver = new ProcessBuilder("python3", "-c", RECEIVER, socket).redirectErrorStream(true).start();
        try (BufferedReader said = new BufferedReader(new InputStreamReader(receiver.getInputStream(),
                StandardCharsets.UTF_8))) {
            assertThat(said.readLine()).isEqualTo("bound");
            ServiceNotification.send(socket, "READY=1\nSTATUS=up");
            assertThat(said.readLine()).isEqualTo("READY=1");
            assertThat(said.readLine()).isEqualTo("STATUS=up");
        } finally {
            receiver.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void whatIsNoSocketIsASentence() {
        assertThatThrownBy(() -> ServiceNotification.send(folder.resolve("nowhere").toString(), "READY=1"))
                .isInstanceOf(SystemCallException.class).hasMessageContaining("nowhere");
        assertThatThrownBy(() -> ServiceNotification.send("relative", "READY=1")).hasMessageContaining("'relative'");
        assertThatThrownBy(() -> ServiceNotification.send("", "READY=1")).hasMessageContaining("NOTIFY_SOCKET");
        assertThatThrownBy(() -> ServiceNotification.send("/" + "x".repeat(200), "READY=1"))
                .hasMessageContaining("108 bytes");
    }
}
