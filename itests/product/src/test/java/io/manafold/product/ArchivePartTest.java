package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An archive of which only a part was unpacked is told from the whole, whatever is asked of it. */
@Timeout(300)
class ArchivePartTest {
    @TempDir
    Path folder;

    private Archive archive;

    @BeforeEach
    void unpack() throws IOException {
        archive = Archive.unpacked(folder);
        Run.of("chmod", "-R", "u+w", archive.place.toString()).end().done();
    }

    @AfterEach
    void unlock() {
        archive.close();
    }

    /** Each file that the program needs, broken off or not there. */
    @ParameterizedTest
    @ValueSource(strings = {"manafold.jar", "launcher.jar", "usage.txt", "sizes"})
    void aPartOfItIsToldFromTheWhole(String name) throws IOException {
        Path file = archive.place.resolve("lib").resolve(name);
        Path kept = Files.copy(file, folder.resolve("kept"), StandardCopyOption.REPLACE_EXISTING);
        for (long length : new long[] {0, Files.size(file) / 2, Files.size(file) - 1}) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(length);
            }
            isTold(name);
            Files.copy(kept, file, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.delete(file);
        isTold(name);
        Files.copy(kept, file);
        archive.started("--help").end().done();
    }

    private void isTold(String name) {
        for (String[] words : new String[][] {{"--help"}, {"attach", "-c", "drivers"}, {"-c", "drivers"}}) {
            Run.Ended ended = archive.started(words).end();
            assertThat(ended.status()).isEqualTo(1);
            assertThat(ended.out()).isEmpty();
            assertThat(ended.err()).startsWith("manafold: The archive was not unpacked whole: ")
                    .contains("/lib/" + name + " ").endsWith(" Unpack it again.\n").hasLineCount(1);
        }
    }

    /** The program itself: nothing of a part runs. */
    @Test
    void aPartOfTheProgramDoesNothing() throws IOException {
        byte[] text = Files.readAllBytes(archive.program);
        for (int tenths = 2; tenths < 10; tenths++) {
            try (FileChannel channel = FileChannel.open(archive.program, StandardOpenOption.WRITE)) {
                channel.truncate((long) text.length * tenths / 10);
            }
            Run.Ended ended = archive.started("-c", "drivers").end();
            assertThat(ended.status()).isEqualTo(2);
            assertThat(ended.out()).isEmpty();
            assertThat(ended.err()).contains("bin/manafold").hasLineCount(1);
            Files.write(archive.program, text);
        }
    }
}
