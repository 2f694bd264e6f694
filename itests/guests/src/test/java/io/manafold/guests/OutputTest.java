package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whether a machine stands still is told from what it says. */
@Timeout(60)
class OutputTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private static boolean comes(String wanted, String script, Duration silence) throws IOException {
        Process process = new ProcessBuilder("sh", "-c", script).start();
        try {
            return new Output(process.getInputStream()).comes(wanted, LIMIT, silence, process::isAlive);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void oneThatSaysNothingIsNotWaitedFor() throws IOException {
        assertThat(comes("up", "echo booting; exec sleep 300", Duration.ofSeconds(1))).isFalse();
    }

    @Test
    void oneThatSaysSomethingNowAndThenIs() throws IOException {
        assertThat(comes("up", "for i in 1 2 3 4 5; do echo $i; sleep 0.5; done; echo up; exec sleep 300",
                Duration.ofSeconds(2))).isTrue();
    }
}
