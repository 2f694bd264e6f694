package io.manafold.launcher.internal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;

/**
 * The folder of this one process: the framework's storage, what is unpacked, a data folder if none is to stay. It is
 * locked while the process lives, so that another can tell what a killed one left behind and remove it.
 *
 * <p>Its removal runs when the class loaders of the bundles are closed, hence a single class, used once before.
 */
final class RunFolder extends SimpleFileVisitor<Path> implements Runnable {
    /** Begins the folder's name; the start script makes folders of the same name. */
    static final String PREFIX = "manafold.";

    private static final String LOCK = "lock";
    /** A process that has just made its folder has not locked it yet. */
    private static final Duration YOUNG = Duration.ofMinutes(2);

    private final Path folder;
    private final FileChannel lock;

    private RunFolder(Path folder, FileChannel lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /** Takes the folder that the start script has made, or makes one. */
    static RunFolder open(String given) throws IOException {
        Path folder = given != null ? Path.of(given) : Files.createTempDirectory(PREFIX);
        FileChannel channel =
                FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        channel.lock();
        RunFolder taken = new RunFolder(folder, channel);
        Path unused = Files.createDirectory(folder.resolve("unused"));
        Files.walkFileTree(unused, taken);
        return taken;
    }

    Path path() {
        return folder;
    }

    /** Removes what killed processes of the same user left beside this folder. */
    void sweep() {
        Path parent = folder.toAbsolutePath().getParent();
        try (DirectoryStream<Path> siblings = Files.newDirectoryStream(parent, PREFIX + "*")) {
            UserPrincipal me = Files.getOwner(folder);
            for (Path sibling : siblings) {
                sweep(sibling, me);
            }
        } catch (IOException e) {
            // it is another start's turn then
            return;
        }
    }

    private void sweep(Path sibling, UserPrincipal me) {
        try {
            if (sibling.equals(folder) || !Files.isDirectory(sibling, LinkOption.NOFOLLOW_LINKS)
                    || !Files.getOwner(sibling, LinkOption.NOFOLLOW_LINKS).equals(me)) {
                return;
            }
            Path file = sibling.resolve(LOCK);
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                Instant made = Files.getLastModifiedTime(sibling).toInstant();
                if (made.plus(YOUNG).isBefore(Instant.now())) {
                    Files.walkFileTree(sibling, this);
                }
                return;
            }
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                    FileLock free = channel.tryLock()) {
                if (free != null) {
                    Files.walkFileTree(sibling, this);
                }
            }
        } catch (IOException | RuntimeException e) {
            // someone else is at it, or it is not what it looks like: it stays
            return;
        }
    }

    /** Removes the folder. */
    @Override
    public void run() {
        try {
            lock.close();
            Files.walkFileTree(folder, this);
        } catch (IOException e) {
            // the next start sweeps it
            return;
        }
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        Files.deleteIfExists(file);
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
        Files.deleteIfExists(directory);
        return FileVisitResult.CONTINUE;
    }
}
