package io.manafold.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every kept input is done or refused, within its limits, and leaves nothing behind. */
@Timeout(120)
class ReplayTest {
    @ParameterizedTest
    @EnumSource
    void theCorpus(Kind kind) throws Exception {
        LoggedErrors.watch();
        List<Path> files = Corpus.of(kind).files();
        assertThat(files).as("kept inputs").isNotEmpty();
        try (Taker taker = kind.open()) {
            for (Path file : files) {
                try {
                    Trial.of(taker, Files.readAllBytes(file));
                } catch (Exception | Error failed) {
                    throw new AssertionError(kind + ": " + file.getFileName() + ": " + failed.getMessage(), failed);
                }
            }
        }
    }
}
