package io.manafold.launcher.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {
    @TempDir
    Path top;

    private RunFolder mine;

    @BeforeEach
    void open() throws IOException {
        mine = RunFolder.open(folder("manafold.mine").toString());
    }

    private Path folder(String name) throws IOException {
        return Files.createDirectory(top.resolve(name));
    }

    @Test
    void isGoneAfterwardsWithAllThatIsInIt() throws IOException {
        Files.createDirectories(mine.path().resolve("a/b"));
        Files.writeString(mine.path().resolve("a/b/c"), "x");
        Path outside = Files.createFile(top.resolve("outside"));
        Files.createSymbolicLink(mine.path().resolve("a/link"), top);
        mine.run();
        assertThat(mine.path()).doesNotExist();
        assertThat(outside).exists();
    }

    @Test
    void whatAKilledProcessLeftIsSwept() throws IOException {
        Path left = folder("manafold.left");
        Files.createFile(left.resolve("lock"));
        Files.createFile(left.resolve("bundle.jar"));
        mine.sweep();
        assertThat(left).doesNotExist();
        assertThat(mine.path()).exists();
    }

    @Test
    void whatIsInUseOrIsJustBeingMadeOrIsNotOursStays() throws IOException {
        Path young = folder("manafold.young");
        Path other = folder("something.else");
        Path target = folder("target");
        Path link = Files.createSymbolicLink(top.resolve("manafold.link"), target);
        mine.sweep();
        assertThat(young).exists();
        assertThat(other).exists();
        assertThat(link).exists();
        assertThat(target).exists();
    }

    @Test
    void aFolderThatWasNeverLockedIsSweptWhenItIsOld() throws IOException {
        Path old = folder("manafold.old");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
        mine.sweep();
        assertThat(old).doesNotExist();
    }

    @Test
    void whatAnotherPartOfThisProcessHasLockedStays() throws IOException {
        Path used = folder("manafold.used");
        try (FileChannel channel = FileChannel.open(used.resolve("lock"), StandardOpenOption.CREATE,
                StandardOpenOption.WRITE); FileLock lock = channel.lock()) {
            mine.sweep();
            assertThat(lock.isValid()).isTrue();
            assertThat(used).exists();
        }
    }
}
