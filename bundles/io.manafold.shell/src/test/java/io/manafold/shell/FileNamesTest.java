package io.manafold.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileNamesTest {
    @TempDir
    private Path folder;

    @Test
    void filesAndFoldersOfTheFolderThatIsTyped() throws IOException {
        Files.createFile(folder.resolve("one.yaml"));
        Files.createDirectory(folder.resolve("other"));
        Files.createFile(folder.resolve(".hidden"));
        String at = folder + "/";
        assertThat(FileNames.startingWith(at)).containsExactly(new Candidate(at + "one.yaml", "", true),
                new Candidate(at + "other/", "", false));
        assertThat(FileNames.startingWith(at + "on")).extracting(Candidate::value).containsExactly(at + "one.yaml");
        assertThat(FileNames.startingWith(at + ".")).extracting(Candidate::value).containsExactly(at + ".hidden");
        assertThat(FileNames.startingWith(at + "nosuch/")).isEmpty();
        assertThat(FileNames.startingWith("\u0000/")).isEmpty();
    }

    @Test
    void pathsAsTheyAreTypedAndFromTheRoot() {
        assertThat(FileNames.path("a/../b ü.pcapng")).hasToString("a/../b ü.pcapng");
        assertThat(FileNames.absolute("a/../b")).isEqualTo(Path.of("b").toAbsolutePath());
        assertThat(FileNames.path("a".repeat(4096))).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\u0000b", "a\nb", "a\u001b[2J", "a\u007f", "a\u0085b", "a\u009b2J", "a\u2028b",
        "a\u2029b", "a\u202eb", "a\u2066b", "\ufeffa"})
    void whatNoFileCanHaveIsRefused(String text) {
        for (ThrowingCallable read : List.<ThrowingCallable>of(() -> FileNames.path(text),
                () -> FileNames.absolute(text))) {
            assertThatThrownBy(read).isInstanceOf(UsageError.class).hasMessage("'" + PlainText.oneLine(text)
                    + "' is not a path: at most 4096 characters, none of them a control character or one that "
                    + "breaks or turns lines.");
        }
    }

    @Test
    void aPathThatIsTooLongIsRefusedInAShortSentence() {
        assertThatThrownBy(() -> FileNames.path("a".repeat(4097))).isInstanceOf(UsageError.class)
                .message().hasSizeLessThan(200);
    }
}
