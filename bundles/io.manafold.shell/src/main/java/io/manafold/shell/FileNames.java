package io.manafold.shell;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Files in commands: words that are paths, and the files that a word may become. */
public final class FileNames {
    /** More than this is no help, and a folder may have millions. */
    private static final int MOST = 500;

    /** As many bytes as the path of a file has in Linux, and a character has at least one. */
    private static final int LONGEST = 4096;

    private FileNames() {
    }

    /**
     * The path that was typed, as it was typed.
     *
     * @throws UsageError if no file can have it, or if it would fake another line where it is shown
     */
    public static Path path(String text) {
        if (!text.isBlank() && text.length() <= LONGEST && PlainText.oneLine(text).equals(text)) {
            try {
                return Path.of(text);
            } catch (InvalidPathException unmappable) {
                // told below
            }
        }
        throw new UsageError(Numbers.quoted(text) + " is not a path: at most " + LONGEST
                + " characters, none of them a control character or one that breaks or turns lines.");
    }

    /** As {@link #path}, from the root of all files: a relative path begins where the platform was started. */
    public static Path absolute(String text) {
        return path(text).toAbsolutePath().normalize();
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
