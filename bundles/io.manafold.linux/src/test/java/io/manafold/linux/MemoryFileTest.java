package io.manafold.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which files are memory: a touch of a mapping of any other may wait for a disk, a device or another process. */
class MemoryFileTest {
    @Test
    void filesInMemoryAre() throws IOException {
        try (Memfd file = Memfd.create("memory", 4096)) {
            assertThat(Linux.isMemory(file.descriptor().number())).isTrue();
        }
        Path shared = Files.createTempFile(Path.of("/dev/shm"), "manafold", ".test");
        try {
            assertThat(isMemory(shared)).isTrue();
        } finally {
            Files.delete(shared);
        }
    }

    /** The nodes of devices lie in a file system of the same kind as shared memory. */
    @Test
    void devicesAndWhatIsReadFromElsewhereAreNot() throws IOException {
        for (String name : new String[] {"/dev/zero", "/dev/null", "/etc/hostname"}) {
            assertThat(isMemory(Path.of(name))).as(name).isFalse();
        }
    }

    private static boolean isMemory(Path file) throws IOException {
        try (FileInputStream _ = new FileInputStream(file.toFile())) {
            return Linux.isMemory(number(file.toRealPath()));
        }
    }

    /** The number of a descriptor by which this process has a file open. */
    private static int number(Path file) throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            for (Path one : open.toList()) {
                if (Files.isSymbolicLink(one) && Files.readSymbolicLink(one).equals(file)) {
                    return Integer.parseInt(one.getFileName().toString());
                }
            }
        }
        throw new AssertionError(file + " is not open");
    }
}
