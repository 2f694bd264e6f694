package io.manafold.shell;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds files for completion. */
final class FileNames {
    /** More than this is no help, and a folder may have millions. */
    private static final int MOST = 500;

    private FileNames() {
    }

    /** The files of the folder that the prefix ends in; hidden ones only if they are asked for. */
    static List<Candidate> startingWith(String prefix) {
        int name = prefix.lastIndexOf('/') + 1;
        String folder = prefix.substring(0, name);
        boolean hidden = prefix.startsWith(".", name);
        List<Candidate> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of(folder.isEmpty() ? "." : folder))) {
            for (Path file : files) {
                String path = folder + file.getFileName();
                if (path.startsWith(prefix) && hidden == path.startsWith(".", name)) {
                    boolean goesOn = Files.isDirectory(file);
                    found.add(new Candidate(goesOn ? path + "/" : path, "", !goesOn));
                }
                if (found.size() == MOST) {
                    break;
                }
            }
        } catch (IOException | InvalidPathException e) {
            return List.of();
        }
        found.sort(Comparator.comparing(Candidate::value));
        return found;
    }
}
