package io.manafold.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockedFileTest {
    @TempDir
    Path folder;

    @Test
    void readingTheFileInTheSameProcessDoesNotReleaseIt() throws IOException {
        Path file = Files.writeString(folder.resolve("lock"), "1\n");
        LockedFile held = LockedFile.tryLock(file).orElseThrow();
        try (held) {
            assertThat(Files.readString(file)).isEqualTo("1\n");
            assertThat(LockedFile.tryLock(file)).isEmpty();
        }
        LockedFile.tryLock(file).orElseThrow().close();
    }

    @Test
    void anotherProcessFindsItHeld() throws Exception {
        Path file = Files.createFile(folder.resolve("lock"));
        try (LockedFile held = LockedFile.tryLock(file).orElseThrow()) {
            assertThat(Files.readString(file)).isEmpty();
            assertThat(lockElsewhere(file)).isEqualTo(11);
        }
        assertThat(lockElsewhere(file)).isZero();
    }

    /** The kernel's answer to a process without our code. */
    private static int lockElsewhere(Path file) throws Exception {
        Process python = new ProcessBuilder("python3", "-c", """
                import fcntl, sys
                try:
                    fcntl.lockf(open(sys.argv[1], 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError as refused:
                    sys.exit(refused.errno)
                """, file.toString()).inheritIO().start();
        return python.waitFor();
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> LockedFile.tryLock(folder.resolve("none"))).isInstanceOf(IOException.class)
                .hasMessageContaining("none").hasMessageContaining("ENOENT");
    }
}
