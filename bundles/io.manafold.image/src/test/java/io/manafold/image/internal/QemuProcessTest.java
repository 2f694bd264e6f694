package io.manafold.image.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
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
}
