package io.manafold.launcher.internal.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.manafold.logging.LoggedLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFileTest {
    @TempDir
    Path folder;

    private static LoggedLine line(Instant time, String text, String trace) {
        return new LoggedLine(time, "WARN", "Bus", text, trace);
    }

    private static LoggedLine line(String text) {
        return line(Instant.EPOCH, text, "");
    }

    @Test
    void keepsLinesAndTraces() throws IOException {
        Path file = folder.resolve("log");
        try (LogFile log = new LogFile(file, 1000)) {
            log.accept(line(Instant.EPOCH, "probe failed", "java.lang.Error\n\tat here\n"));
        }
        assertThat(file).content().contains(" WARN  Bus: probe failed\njava.lang.Error\n\tat here\n");
    }

    @Test
    void neverGrowsBeyondTwiceItsLimit() throws IOException {
        Path file = folder.resolve("log");
        try (LogFile log = new LogFile(file, 1000)) {
            for (int i = 0; i < 200; i++) {
                log.accept(line("line " + i));
            }
        }
        assertThat(Files.size(file)).isLessThanOrEqualTo(1000);
        assertThat(Files.size(folder.resolve("log.1"))).isLessThanOrEqualTo(1000);
        assertThat(file).content().endsWith("line 199\n");
        assertThat(Files.list(folder)).hasSize(2);
    }

    @Test
    void goesOnWhereAnEarlierProcessEnded() throws IOException {
        Path file = folder.resolve("log");
        for (String text : new String[] {"first", "second"}) {
            try (LogFile log = new LogFile(file, 1000)) {
                log.accept(line(text));
            }
        }
        assertThat(file).content().contains("first").contains("second");
    }

    @Test
    void aDiskThatTakesNothingHarmsNobodyAndIsCounted() throws IOException {
        Path gone = folder.resolve("gone");
        Path file = gone.resolve("log");
        try (LogFile log = new LogFile(file, 1000)) {
            assertThatCode(() -> log.accept(line("one"))).doesNotThrowAnyException();
            log.accept(line("two, too soon to try again"));
            Files.createDirectory(gone);
            log.accept(line(Instant.EPOCH.plusSeconds(5), "three", ""));
        }
        assertThat(file).content().contains("2 lines could not be written").contains("three").doesNotContain("one");
    }

    @Test
    void aFullDeviceHarmsNobody() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("log"), Path.of("/dev/full"));
        try (LogFile log = new LogFile(link, 1000)) {
            assertThatCode(() -> log.accept(line("lost"))).doesNotThrowAnyException();
        } finally {
            Files.delete(link);
        }
    }
}
