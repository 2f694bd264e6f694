package io.manafold.commands.doctor.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that a report is written to. */
final class ReportFile {
    private ReportFile() {
    }

    /** Asked before the work whose report it is, which may take minutes. */
    static void checkFolder(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new Refusal(Errno.ENOENT, "No report can be written to '" + file + "': its folder is missing, or not "
                    + "to be written to. Make it, or choose another.");
        }
    }

    static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            String why = switch (e) {
                case AccessDeniedException denied -> "you may not write it";
                case FileSystemException other when other.getReason() != null -> other.getReason();
                default -> e.getMessage();
            };
            throw new Refusal(Errno.EIO, "The report '" + file + "' cannot be written: " + why + ". Choose another "
                    + "file.", e);
        }
    }
}
