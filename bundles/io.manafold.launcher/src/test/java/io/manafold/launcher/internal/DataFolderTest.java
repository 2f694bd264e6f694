package io.manafold.launcher.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.manafold.api.refusal.Refusal;
import io.manafold.launcher.internal.words.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
    @TempDir
    Path top;

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static void permit(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void isMadeForItsOwnerAlone() throws IOException {
        Path folder = top.resolve("a/b");
        try (DataFolder data = DataFolder.open(folder, false)) {
            assertThat(permissions(folder)).isEqualTo("rwx------");
            assertThat(folder.resolve("drivers")).isDirectory();
            assertThat(folder.resolve("labs")).isDirectory();
            assertThat(data.log().getParent()).isDirectory();
            assertThat(folder.resolve("lock")).hasContent(Long.toString(ProcessHandle.current().pid()));
        }
    }

    @Test
    void aSecondTakerIsToldThePidAndTheLineToType() throws IOException {
        Path folder = top.resolve("it's");
        try (DataFolder data = DataFolder.open(folder, false)) {
            assertThatThrownBy(() -> DataFolder.open(folder, false)).isInstanceOf(Refusal.class)
                    .hasMessageContaining("process " + ProcessHandle.current().pid())
                    .hasMessageContaining(" manafold attach --data '" + top + "/it'\\''s'");
        }
        DataFolder.open(folder, false).close();
    }

    @Test
    void aLockThatNobodyHoldsIsTakenOver() throws IOException {
        Path folder = Files.createDirectory(top.resolve("stale"));
        Files.writeString(folder.resolve("lock"), "4194304999\n");
        try (DataFolder data = DataFolder.open(folder, false)) {
            assertThat(folder.resolve("lock")).hasContent(Long.toString(ProcessHandle.current().pid()));
        }
    }

    @Test
    void anEmptyFolderIsClosedToOthersAndAFullOneIsLeftAlone() throws IOException {
        Path empty = Files.createDirectory(top.resolve("empty"));
        permit(empty, "rwxr-xr-x");
        DataFolder.open(empty, false).close();
        assertThat(permissions(empty)).isEqualTo("rwx------");

        Path full = Files.createDirectory(top.resolve("full"));
        Files.createFile(full.resolve("thesis.txt"));
        permit(full, "rwxr-xr-x");
        assertThatThrownBy(() -> DataFolder.open(full, false)).isInstanceOf(Refusal.class)
                .hasMessageContaining("open to others");
        assertThat(permissions(full)).isEqualTo("rwxr-xr-x");
    }

    @Test
    void aFileInItsPlaceIsASentence() throws IOException {
        Path file = Files.createFile(top.resolve("file"));
        assertThatThrownBy(() -> DataFolder.open(file, false)).isInstanceOf(Refusal.class)
                .hasMessageContaining("is a file, not a folder");
        assertThatThrownBy(() -> DataFolder.open(file.resolve("below"), false)).isInstanceOf(Refusal.class)
                .hasMessageContaining("cannot be used");
        Path folder = Files.createDirectory(top.resolve("folder"));
        permit(folder, "rwx------");
        Files.createFile(folder.resolve("drivers"));
        assertThatThrownBy(() -> DataFolder.open(folder, false)).isInstanceOf(Refusal.class)
                .hasMessageContaining("there is a file of that name");
    }

    @Test
    void aSocketPathThatIsTooLongIsRefusedUnlessNobodyWillAttach() throws IOException {
        int room = Places.LONGEST_SOCKET_PATH - "/attach.sock".length() - top.toString().length() - 1;
        DataFolder.open(top.resolve("x".repeat(room)), false).close();
        Path tooLong = top.resolve("x".repeat(room + 1));
        assertThatThrownBy(() -> DataFolder.open(tooLong, false)).isInstanceOf(Refusal.class)
                .hasMessageContaining("at most 107");
        DataFolder.open(tooLong, true).close();
    }
}
