package io.manafold.launcher.internal;

import io.manafold.linux.LockedFile;
import java.io.IOException;
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
 * The folder of this one process: the framework's storage, what is unpacked, a data folder if none is to stay. It bears
 * a mark, a file with a first line of ours that is locked while the process lives, so that another start can tell what
 * a killed process left behind and remove that, and never anything else.
 *
 * <p>Its removal runs when the class loaders of the bundles are closed, hence a single class, used once before.
 */
final class RunFolder extends SimpleFileVisitor<Path> implements Runnable {
    /** The file that makes a folder one of ours. */
    static final String MARK = ".manafold-run";
    /** Its first line; the start script writes the same. */
    static final String FIRST_LINE = "Manafold run folder: goes with its process";

    private static final String SECOND_LINE = "taken by process ";
    /** How the start script and this class name such folders. */
    private static final String NAMES = "{run.,.manafold-run-}*";
    private static final int LONGEST_MARK = 256;
    private static final Duration YOUNG = Duration.ofHours(1);
    /** What a folder that a user keeps has; none of ours has it at its top. */
    private static final String[] KEPT = {"state", "drivers", "labs"};

    private final Path folder;
    private final LockedFile lock;

    private RunFolder(Path folder, LockedFile lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /** Takes the folder that the start script has made, or makes one. */
    static RunFolder open(String given) throws IOException {
        Path folder = given != null ? Path.of(given) : Files.createTempDirectory(MARK + "-");
        Path mark = folder.resolve(MARK);
        if (given == null) {
            Files.writeString(mark, FIRST_LINE + "\n", StandardOpenOption.CREATE_NEW);
        } else if (!bearsOurMark(folder)) {
            throw new IOException(folder + " is no run folder, since it has no file " + MARK
                    + " that begins as ours do; all in it would be removed in the end");
        }
        LockedFile lock = LockedFile.tryLock(mark)
                .orElseThrow(() -> new IOException(folder + " is the run folder of another process"));
        Files.writeString(mark, SECOND_LINE + ProcessHandle.current().pid() + "\n", StandardOpenOption.APPEND);
        RunFolder taken = new RunFolder(folder, lock);
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
        try (DirectoryStream<Path> siblings = Files.newDirectoryStream(parent, NAMES)) {
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
                    || !Files.getOwner(sibling, LinkOption.NOFOLLOW_LINKS).equals(me) || !wasTaken(sibling)) {
                return;
            }
            LockedFile free = LockedFile.tryLock(sibling.resolve(MARK)).orElse(null);
            if (free != null) {
                try (free) {
                    Files.walkFileTree(sibling, this);
                }
            }
        } catch (IOException | RuntimeException e) {
            // another start is at it, or it is not what it looks like: it stays
            return;
        }
    }

    private static boolean bearsOurMark(Path folder) throws IOException {
        return mark(folder).startsWith(FIRST_LINE + "\n");
    }

    /**
     * Whether a folder is ours and a process has had it, or never will: one that was only just made is not locked yet.
     */
    private static boolean wasTaken(Path folder) throws IOException {
        for (String kept : KEPT) {
            if (Files.exists(folder.resolve(kept), LinkOption.NOFOLLOW_LINKS)) {
                return false;
            }
        }
        String mark = mark(folder);
        return mark.startsWith(FIRST_LINE + "\n" + SECOND_LINE) || mark.equals(FIRST_LINE + "\n")
                && Files.getLastModifiedTime(folder.resolve(MARK)).toInstant().plus(YOUNG).isBefore(Instant.now());
    }

    /** What a folder's mark says; empty if there is none. */
    private static String mark(Path folder) throws IOException {
        Path mark = folder.resolve(MARK);
        if (!Files.isRegularFile(mark, LinkOption.NOFOLLOW_LINKS) || Files.size(mark) > LONGEST_MARK) {
            return "";
        }
        return Files.readString(mark);
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

    /** The mark goes last, so that a removal that is broken off is taken up again. */
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        if (!file.endsWith(MARK)) {
            Files.deleteIfExists(file);
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
        Files.deleteIfExists(directory.resolve(MARK));
        Files.deleteIfExists(directory);
        return FileVisitResult.CONTINUE;
    }
}
