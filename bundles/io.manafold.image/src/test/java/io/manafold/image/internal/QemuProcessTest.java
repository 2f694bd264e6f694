package io.manafold.image.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With a script that stands for QEMU and says which words it was started with. */
@Timeout(60)
class QemuProcessTest {
    @TempDir
    private Path folder;

    private String words(String helps) throws Exception {
        Path qemu = Files.writeString(folder.resolve("qemu"), """
                #!/bin/sh
                if [ "$2" = help ]; then
                    echo '%s'
                else
                    printf '%%s ' "$@" | tail -c 100
                    echo end
                fi
                """.formatted(helps));
        assertThat(qemu.toFile().setExecutable(true)).isTrue();
        BlockingQueue<String> said = new LinkedBlockingQueue<>();
        try (QemuProcess process = new QemuProcess("manafold-test")) {
            process.start(List.of(), qemu, List.of("-m", "1"), said::add);
            String line = said.poll(30, TimeUnit.SECONDS);
            assertThat(line).endsWith("end");
            return line;
        }
    }

    /** Whether it has a disk that is read or boots one: a kernel in it may be hostile. */
    @Test
    void aMachineEndsWithThePlatformIfQemuCanDoThat() throws Exception {
        assertThat(words("exit-with-parent=<bool (on/off)>")).contains("-m 1 -run-with exit-with-parent=on");
        assertThat(words("chroot=<str>")).contains("-m 1 end");
    }

    /** A program that writes its number to a file and then does something. */
    private Path program(String then) throws Exception {
        Path program = Files.writeString(folder.resolve("program"), "#!/bin/sh\necho $$ > '" + folder.resolve("written")
                + "'\nmv '" + folder.resolve("written") + "' '" + folder.resolve("number") + "'\n" + then + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }

    private void assertEnded() throws Exception {
        long number = Long.parseLong(Files.readString(folder.resolve("number")).strip());
        for (Optional<ProcessHandle> one = ProcessHandle.of(number); one.isPresent() && one.get().isAlive();) {
            Thread.sleep(20);
        }
    }

    @Test
    @Timeout(8)
    void whatNeverEndsItsAnswerIsReadToABoundAndEnds() throws Exception {
        assertThat(QemuProcess.asked(program("exec yes"), "-run-with", "help")).startsWith("y\ny\n").hasSize(1 << 16);
        assertEnded();
    }

    @Test
    void whatDoesNotAnswerIsRefusedAndEnds() throws Exception {
        Path program = program("sleep 50");
        assertThatThrownBy(() -> QemuProcess.asked(program, 2, "-run-with", "help")).isInstanceOf(Refusal.class)
                .hasMessageContaining("has not answered '-run-with help' within 2 s")
                .hasMessageContaining("--qemu FILE")
                .satisfies(refused -> assertThat(((Refusal) refused).errno()).isEqualTo(Errno.ETIMEDOUT));
        assertEnded();
    }

    @Test
    @Timeout(30)
    void anInterruptEndsAQuestionThatIsNotAnswered() throws Exception {
        Path program = program("sleep 50");
        FutureTask<String> question = new FutureTask<>(() -> QemuProcess.asked(program, 50, "-run-with", "help"));
        Thread asks = Thread.ofPlatform().daemon().start(question);
        while (!Files.exists(folder.resolve("number"))) {
            Thread.sleep(20);
        }
        asks.interrupt();
        assertThatThrownBy(question::get).hasCauseInstanceOf(InterruptedIOException.class);
        assertEnded();
    }
}
