package io.manafold.launcher.internal.words;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Words that more than one class here says. */
public final class Texts {
    /** Begins every sentence on the error stream, so that one knows in a script who speaks. */
    public static final String SPEAKER = "manafold: ";

    private Texts() {
    }

    /** The text of {@code --help}; the start script prints the same file. */
    public static String usage() {
        try (InputStream in = Texts.class.getResourceAsStream("../usage.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Why something could not be done with a file, without Java's words for it. */
    public static String reason(IOException e) {
        return switch (e) {
            case AccessDeniedException denied -> "permission denied";
            case NoSuchFileException missing -> "no such file or folder";
            case NotDirectoryException file -> "it is not a folder";
            case FileAlreadyExistsException file -> "there is a file of that name";
            case FileSystemException other when other.getReason() != null -> lower(other.getReason());
            default -> e.getMessage() == null ? e.getClass().getSimpleName() : lower(e.getMessage());
        };
    }

    /** What to say when the rest of the commands cannot be read. */
    public static String unread(IOException e) {
        return "The commands could not be read to their end: " + reason(e) + ".";
    }

    /** Whether an output cannot be written because what reads it has ended, as {@code head} does early. */
    public static boolean isUnread(IOException e) {
        return String.valueOf(e.getMessage()).contains("Broken pipe");
    }

    /** What to say of an output that cannot be written for another reason. */
    public static String unwritten(IOException e) {
        return "The output cannot be written: " + reason(e) + ".";
    }

    /** A word as a shell reads it back. */
    public static String quoted(String word) {
        return word.matches("[\\w./:@%+,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private static String lower(String sentence) {
        return sentence.isEmpty() ? sentence : Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1);
    }
}
