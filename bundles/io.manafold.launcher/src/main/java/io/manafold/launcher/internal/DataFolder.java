package io.manafold.launcher.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.launcher.internal.words.Places;
import io.manafold.launcher.internal.words.Texts;
import io.manafold.linux.LockedFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What a platform keeps: its user's alone, and one process's at a time. */
final class DataFolder implements AutoCloseable {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> OWNERS_FILE = PosixFilePermissions.fromString("rw-------");
    private static final List<String> ROOMS = List.of("drivers", "labs", "log");
    private static final String LOCK = "lock";
    /** By which name the start script was called: that of an archive lies elsewhere than that of the sources. */
    private static final String CALLED = "manafold.called";
    private static final int LONGEST_PID = 20;

    private final Path folder;
    private final boolean temporary;
    private final LockedFile lock;

    private DataFolder(Path folder, boolean temporary, LockedFile lock) {
        this.folder = folder;
        this.temporary = temporary;
        this.lock = lock;
    }

    /**
     * Takes a folder for this process, making it if need be.
     *
     * @param temporary whether no user will look for this folder, nor for a platform on it
     * @throws Refusal with a sentence, if it cannot be taken
     */
    static DataFolder open(Path folder, boolean temporary) {
        String tooLong = temporary ? null : Places.tooLong(Places.socket(folder));
        if (tooLong != null) {
            throw new Refusal(Errno.ENAMETOOLONG, tooLong);
        }
        try {
            makeOurs(folder);
            LockedFile lock = lock(folder);
            try {
                for (String room : ROOMS) {
                    Files.createDirectories(folder.resolve(room));
                }
            } catch (IOException e) {
                lock.close();
                throw e;
            }
            return new DataFolder(folder, temporary, lock);
        } catch (IOException e) {
            throw new Refusal(Errno.EIO, "The data folder %s cannot be used: %s. Choose another with --data."
                    .formatted(folder, Texts.reason(e)), e);
        }
    }

    Path path() {
        return folder;
    }

    boolean temporary() {
        return temporary;
    }

    Path history() {
        return folder.resolve("history");
    }

    Path log() {
        return folder.resolve("log").resolve("manafold.log");
    }

    Path socket() {
        return Places.socket(folder);
    }

    /** Lets another process have the folder. */
    @Override
    public void close() throws IOException {
        lock.close();
    }

    private static void makeOurs(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Path parent = folder.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            return;
        }
        if (!Files.isDirectory(folder)) {
            throw new Refusal(Errno.EEXIST,
                    "The data folder %s is a file, not a folder. Choose another with --data.".formatted(folder));
        }
        Object owner = Files.getAttribute(folder, "unix:uid");
        if (!owner.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
            throw new Refusal(Errno.EPERM,
                    "The data folder %s belongs to %s; a data folder is only its owner's. Choose another with --data."
                            .formatted(folder, Files.getOwner(folder).getName()));
        }
        if (!OWNER_ONLY.containsAll(Files.getPosixFilePermissions(folder))) {
            if (!emptyOrUsedBefore(folder)) {
                throw new Refusal(Errno.EPERM, ("The data folder %s is open to others and holds other things. A data "
                        + "folder is only its owner's: choose an empty one, or type: chmod 700 %s")
                                .formatted(folder, Texts.quoted(folder.toString())));
            }
            Files.setPosixFilePermissions(folder, OWNER_ONLY);
        }
    }

    private static boolean emptyOrUsedBefore(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return Files.isRegularFile(folder.resolve(LOCK)) || entries.findAny().isEmpty();
        }
    }

    /** The system frees the lock of a process that is gone, so that one left behind is simply taken. */
    private static LockedFile lock(Path folder) throws IOException {
        Path file = folder.resolve(LOCK);
        FileChannel.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(OWNERS_FILE)).close();
        LockedFile lock = LockedFile.tryLock(file).orElseThrow(() -> inUse(folder, file));
        try {
            Files.writeString(file, ProcessHandle.current().pid() + "\n");
            return lock;
        } catch (IOException e) {
            lock.close();
            throw e;
        }
    }

    private static Refusal inUse(Path folder, Path file) {
        return new Refusal(Errno.EBUSY, "The data folder %s is in use by process %s. To talk to that platform, type: %s"
                .formatted(folder, pid(file), Texts.quoted(System.getProperty(CALLED, "manafold")) + " attach --data "
                        + Texts.quoted(folder.toString())));
    }

    private static String pid(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            String pid = new String(in.readNBytes(LONGEST_PID), StandardCharsets.US_ASCII).strip();
            return pid.matches("\\d+") ? pid : "(not known)";
        } catch (IOException e) {
            return "(not known)";
        }
    }
}
