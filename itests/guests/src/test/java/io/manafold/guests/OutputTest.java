package io.manafold.guests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a process says, and whether a machine stands still, which is told from that. */
@Timeout(60)
class OutputTest {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Duration SILENCE = Duration.ofSeconds(3);

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
    void aCharacterThatComesInPiecesIsOneCharacter() throws InterruptedException {
        Output output = new Output(new ByteArrayInputStream("ä → 🙂".getBytes(StandardCharsets.UTF_8)) {
            @Override
            public int read(byte[] into, int from, int count) {
                return super.read(into, from, Math.min(count, 1));
            }

            @Override
            public int available() {
                return 0;
            }
        });
        assertThat(output.all()).isEqualTo("ä → 🙂");
    }

    @Test
    void oneThatSaysSomethingNowAndThenIs() throws IOException {
        assertThat(comes("up", "for i in 1 2 3 4 5; do echo $i; sleep 0.5; done; echo up; exec sleep 300",
                Duration.ofSeconds(2))).isTrue();
    }

    /** Says something, nothing for longer than it may be silent, and something when it is asked. */
    private static void asked(BiConsumer<Output, BooleanSupplier> then) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", "echo ready; read word; sleep 0.3; echo $word; exec sleep 300")
                .start();
        try (Writer word = process.outputWriter()) {
            Output output = new Output(process.getInputStream());
            output.await("ready\n", LIMIT, process::isAlive);
            Thread.sleep(SILENCE.plusMillis(200));
            word.write("up\n");
            word.flush();
            then.accept(output, process::isAlive);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void theSilenceBeforeItIsWaitedForDoesNotCount() throws Exception {
        asked((output, alive) -> assertThat(output.comes("up\n", LIMIT, SILENCE, alive)).isTrue());
    }

    @Test
    void oneWithALimitAloneMayBeSilentForLonger() throws Exception {
        asked((output, alive) -> output.await("up\n", SILENCE, alive));
    }
}
