package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a platform, and one that is attached to it, do at ends that were not planned. */
class EndsTest {
    /** The program gives up what stands still for 2.5 s; a machine that is busy gets some more. */
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private String data;

    @BeforeEach
    void name() {
        data = folder.resolve("data").toString();
    }

    private Run headless() {
        Run run = Run.manafold("--headless", "--data", data).start();
        run.awaitOut("ready\n");
        return run;
    }

    @Test
    void aBundleThatDoesNotStopIsNamedAndLeft() throws IOException {
        Path drivers = Files.createDirectories(Path.of(data, "drivers"));
        Files.setPosixFilePermissions(Path.of(data), PosixFilePermissions.fromString("rwx------"));
        ActivatorJar.make(drivers.resolve("stays.jar"), "stays", "", "hang();");
        try (Run run = headless()) {
            run.terminate();
            Run.Ended ended = run.ended(SOON);
            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.err()).contains("did not stop within", "thread '", "hostile.Activator.hang");
        }
    }

    @Test
    void anEndlessLineEndsTheSessionWithASentence() {
        try (Run run = headless()) {
            Run.of("sh", "-c", "yes | tr -d '\\n' | " + attach()).end().refused(1, "could not be read to their end",
                    "more than 1048576 bytes");
            Run.manafold("attach", "--data", data, "-c", "drivers").end().done();
        }
    }

    @Test
    void anEndlessLineAtAPromptEndsItToo() {
        try (Run run = headless();
                Run prompt = Run.of("script", "-qefc", attach(), "/dev/null").with("TERM", "xterm").start()) {
            prompt.awaitOut("manafold> ");
            // pasted in one piece but for its end: a prompt draws each typed letter, and more work for each before it
            prompt.type("\u001b[200~" + "x".repeat(15_900) + "\u001b[201~" + "x".repeat(600));
            prompt.awaitOut("more than 16384 bytes");
            assertThat(prompt.ended().status()).isEqualTo(1);
            assertThat(run.process().isAlive()).isTrue();
        }
    }

    @Test
    void aReaderThatHasEnoughEndsTheClientSilently() {
        try (Run run = headless()) {
            Run.Ended ended = Run.of("bash", "-c", attach() + " -c 'help; help adapter; help lspci' | head -n 1; "
                    + "exit ${PIPESTATUS[0]}").end();
            assertThat(ended.err()).isEmpty();
            assertThat(ended.out()).hasLineCount(1);
            assertThat(ended.status()).isIn(0, 141);
            Run.manafold("attach", "--data", data, "-c", "drivers").end().done();
        }
    }

    @Test
    void readingTheHomesLockInsideDoesNotReleaseIt() {
        try (Run run = headless()) {
            assertThat(Run.manafold("attach", "--data", data, "-c", "cat " + data + "/lock").end().done().out())
                    .contains(Long.toString(run.pid()));
            Run.manafold("--data", data, "-c", "drivers").end().refused(1, Long.toString(run.pid()), "is in use");
        }
    }

    private String attach() {
        return Run.TOP.resolve("manafold") + " attach --data " + data;
    }
}
