package io.manafold.image.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A folder of this machine as the root of a tree. Links and special files in it are seen and never opened. */
final class FolderTree implements RawTree {
    private final Path root;
    /** What its archives may still take, all of them together: an image may have many kernels. */
    private final AtomicLong nanosLeft;

    FolderTree(Path root) {
        this(root, Duration.ofSeconds(Limits.SECONDS));
    }

    FolderTree(Path root, Duration ofArchives) {
        this.root = root;
        nanosLeft = new AtomicLong(ofArchives.toNanos());
    }

    private Path at(String path) {
        return path.equals("/") ? root : root.resolve(path.substring(1));
    }

    @Override
    public Kind kind(String path) {
        return isBelowFolders(path) ? kindOfLast(path) : Kind.NOTHING;
    }

    /** Whether no folder on the way is a link: the system would follow it, out of the tree as well. */
    private boolean isBelowFolders(String path) {
        for (int end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
            if (kindOfLast(path.substring(0, end)) != Kind.FOLDER) {
                return false;
            }
        }
        return true;
    }

    private Kind kindOfLast(String path) {
        try {
            BasicFileAttributes found = Files.readAttributes(at(path), BasicFileAttributes.class,
                    LinkOption.NOFOLLOW_LINKS);
            if (found.isSymbolicLink()) {
                return path.equals("/") ? Kind.FOLDER : Kind.LINK;
            }
            return found.isDirectory() ? Kind.FOLDER : found.isRegularFile() ? Kind.FILE : Kind.OTHER;
        } catch (IOException | InvalidPathException e) {
            return Kind.NOTHING;
        }
    }

    @Override
    public String link(String path) throws IOException {
        return Files.readSymbolicLink(at(path)).toString();
    }

    @Override
    public List<String> names(String path) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(at(path))) {
            for (Path file : files) {
                if (names.size() == Limits.NAMES) {
                    break;
                }
                names.add(file.getFileName().toString());
            }
        }
        return names;
    }

    @Override
    public byte[] bytes(String path, int most) throws IOException {
        try (InputStream in = open(path)) {
            return in.readNBytes(most);
        }
    }

    /** The bytes of a file, which is no link. */
    InputStream open(String path) throws IOException {
        return Files.newInputStream(at(path), LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public RawTree archive(String path) throws IOException {
        Deadline deadline = Deadline.ofFolder(nanosLeft.get());
        long start = System.nanoTime();
        try (InputStream in = open(path)) {
            return Reader.archive(deadline.over(in), deadline, PathFilter.INITIAL);
        } finally {
            nanosLeft.addAndGet(start - System.nanoTime());
        }
    }
}
