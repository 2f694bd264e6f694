package io.manafold.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
