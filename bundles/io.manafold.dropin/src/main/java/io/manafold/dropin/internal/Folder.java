package io.manafold.dropin.internal;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The watched folder. Links are followed, so that a JAR may lie where it is built; what is no file is passed over. */
final class Folder {
    private final Path path;

    Folder(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    /** The JARs by file name. A folder that is missing is made. */
    Map<String, FileObservation> list() throws IOException {
        Map<String, FileObservation> found = new TreeMap<>();
        Files.createDirectories(path);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                if (isJarName(name)) {
                    look(entry).ifPresent(sighting -> found.put(name, sighting));
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }

    /** The file as it is now, or nothing if there is no file of that name. */
    static Optional<FileObservation> look(Path file) throws IOException {
        Map<String, Object> now;
        try {
            now = Files.readAttributes(file, "unix:isRegularFile,size,lastModifiedTime,ctime,fileKey");
        } catch (IOException e) {
            // gone since the listing, or a link that leads nowhere: absent, and no reason to stop listing
            return Optional.empty();
        }
        if (!Boolean.TRUE.equals(now.get("isRegularFile"))) {
            return Optional.empty();
        }
        FileState state = new FileState((Long) now.get("size"), (FileTime) now.get("lastModifiedTime"),
                now.get("fileKey"));
        return Optional.of(new FileObservation(file, state, ((FileTime) now.get("ctime")).toInstant()));
    }

    /** Temporary names of copying programs ({@code .x.jar}, {@code x.jar.part}, {@code ~x.jar}) are not JARs yet. */
    static boolean isJarName(String name) {
        return name.endsWith(".jar") && name.length() > 4 && name.charAt(0) != '.' && name.charAt(0) != '~'
                && name.charAt(0) != '#';
    }
}
