package io.manafold.launcher.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.linux.LockedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {
    private static final String TAKEN = RunFolder.FIRST_LINE + "\ntaken by process 4194304999\n";

    @TempDir
    Path top;

    private RunFolder mine;

    @BeforeEach
    void open() throws IOException {
        mine = RunFolder.open(marked("run.mine", RunFolder.FIRST_LINE + "\n").toString());
    }

    /** A folder as old as can be. */
    private Path folder(String name) throws IOException {
        Path folder = Files.createDirectory(top.resolve(name));
        Files.createFile(folder.resolve("thesis.txt"));
        Files.setLastModifiedTime(folder, FileTime.from(Instant.EPOCH));
        return folder;
    }

    private Path marked(String name, String mark) throws IOException {
        Path folder = folder(name);
        Files.writeString(folder.resolve(RunFolder.MARK), mark);
        Files.setLastModifiedTime(folder, FileTime.from(Instant.EPOCH));
        return folder;
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
        Path left = marked("run.left", TAKEN);
        Files.createFile(left.resolve("bundle.jar"));
        Path alone = marked(".manafold-run-0.Xy", TAKEN);
        mine.sweep();
        assertThat(left).doesNotExist();
        assertThat(alone).doesNotExist();
        assertThat(mine.path()).exists();
    }

    @Test
    void whatHasNoMarkOfOursStays() throws IOException {
        Path stranger = folder("run.stranger");
        Path former = folder("manafold.former");
        Files.createFile(former.resolve("lock"));
        Path likeOurs = marked("run.notes", "Manafold run folder\ntaken by process 1\n");
        Path home = marked("run.home", TAKEN);
        Files.createDirectory(home.resolve("state"));
        Path long1 = marked("run.long", TAKEN + "x".repeat(1 << 16));
        Path marksFolder = folder("run.folder");
        Files.createDirectory(marksFolder.resolve(RunFolder.MARK));
        Path linked = Files.createSymbolicLink(top.resolve("run.link"), marked("elsewhere", TAKEN));
        Path marksLink = folder("run.marklink");
        Files.createSymbolicLink(marksLink.resolve(RunFolder.MARK), linked.resolve(RunFolder.MARK));
        mine.sweep();
        for (Path kept : new Path[] {stranger, former, likeOurs, home, long1, marksFolder, linked, marksLink}) {
            assertThat(kept.resolve("thesis.txt")).exists();
        }
    }

    @Test
    void whatIsInUseOrIsJustBeingMadeStays() throws IOException {
        Path young = marked("run.young", RunFolder.FIRST_LINE + "\n");
        Path used = marked("run.used", TAKEN);
        Path never = marked("run.never", RunFolder.FIRST_LINE + "\n");
        Files.setLastModifiedTime(never.resolve(RunFolder.MARK), FileTime.from(Instant.EPOCH));
        try (LockedFile lock = LockedFile.tryLock(used.resolve(RunFolder.MARK)).orElseThrow()) {
            // the lock is the open file's: what else in the process reads the file does not end it
            assertThat(Files.readString(used.resolve(RunFolder.MARK))).isEqualTo(TAKEN);
            mine.sweep();
            assertThat(young).exists();
            assertThat(used).exists();
            assertThat(never).doesNotExist();
            assertThat(lock).isNotNull();
        }
        mine.sweep();
        assertThat(used).doesNotExist();
    }

    @Test
    void aRemovalThatWasBrokenOffLeavesTheMark() throws IOException {
        Path left = marked("run.left", TAKEN);
        mine.visitFile(left.resolve("thesis.txt"), null);
        mine.visitFile(left.resolve(RunFolder.MARK), null);
        assertThat(left.resolve(RunFolder.MARK)).hasContent(TAKEN);
        mine.sweep();
        assertThat(left).doesNotExist();
    }

    @Test
    void aFolderWithoutTheMarkIsNotTaken() throws IOException {
        Path home = folder("home");
        assertThatThrownBy(() -> RunFolder.open(home.toString())).isInstanceOf(IOException.class)
                .hasMessageContaining("is no run folder");
        assertThat(home.resolve("thesis.txt")).exists();
    }

    @Test
    void withoutAStartScriptItMakesItsOwn() throws IOException {
        RunFolder own = RunFolder.open(null);
        assertThat(own.path().resolve(RunFolder.MARK)).content().startsWith(RunFolder.FIRST_LINE + "\n");
        own.run();
        assertThat(own.path()).doesNotExist();
    }
}
