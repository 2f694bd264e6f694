package io.manafold.product;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of the folders beside its own a start removes those that a killed platform left, and no others. */
class FoldersTest {
    @TempDir
    Path temporary;

    @TempDir
    Path place;

    @Test
    void onlyWhatAKilledPlatformLeftGoes() throws Exception {
        Path dead;
        try (Run killed = Run.manafold("--headless", "--data", place.resolve("home").toString())
                .with("TMPDIR", temporary.toString()).start()) {
            killed.awaitOut("ready\n");
            killed.process().destroyForcibly();
            killed.ended();
        }
        try (Stream<Path> ours = Files.list(temporary)) {
            dead = Files.list(ours.toList().getFirst()).findFirst().orElseThrow();
        }
        Path above = dead.getParent();
        List<Path> others = List.of(old(temporary.resolve("manafold.thesis")), old(above.resolve("run.thesis")),
                old(above.resolve("run.home")), old(temporary.resolve("manafold.home")));
        Run.manafold("--data", others.get(2).toString(), "-c", "exit").end().done();
        Run.manafold("--data", others.get(3).toString(), "-c", "exit").end().done();
        Files.copy(dead.resolve(".manafold-run"), others.get(2).resolve(".manafold-run"));

        Run.manafold("-c", "help").with("TMPDIR", temporary.toString()).end().done();
        awaitGone(dead);
        for (Path other : others) {
            assertThat(other.resolve("notes.txt")).exists();
        }
        assertThat(others.get(3).resolve("drivers")).exists();
    }

    private static Path old(Path folder) throws IOException {
        Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(
                PosixFilePermissions.fromString("rwx------")));
        Files.createFile(folder.resolve("notes.txt"));
        Files.setLastModifiedTime(folder, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
        return folder;
    }

    /** The sweep runs beside the platform; if that ends early, the next start sweeps. */
    private void awaitGone(Path dead) {
        for (int i = 0; Files.exists(dead) && i < 5; i++) {
            Run.manafold("-c", "help").with("TMPDIR", temporary.toString()).end().done();
        }
        assertThat(dead).doesNotExist();
    }
}
