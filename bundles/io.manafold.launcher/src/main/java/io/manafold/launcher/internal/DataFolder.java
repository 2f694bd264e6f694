package io.manafold.launcher.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
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
    private static final int LONGEST_PID = 20;

    private final Path folder;
    private final boolean temporary;
    private final FileChannel lock;

    private DataFolder(Path folder, boolean temporary, FileChannel lock) {
        this.folder = folder;
        this.temporary = temporary;
        this.lock = lock;
    }

    /**
     * Takes a folder for this process, making it if need be.
     *
     * @param temporary whether nobody will look for this folder, nor for a platform on it
     * @throws Refusal with a sentence, if it cannot be taken
     */
    static DataFolder open(Path folder, boolean temporary) {
        String tooLong = temporary ? null : Places.tooLong(Places.socket(folder));
        if (tooLong != null) {
            throw new Refusal(Errno.ENAMETOOLONG, tooLong);
        }
        try {
            makeOurs(folder);
            FileChannel lock = lock(folder);
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

    private static FileChannel lock(Path folder) throws IOException {
        Path file = folder.resolve(LOCK);
        FileChannel channel = FileChannel.open(file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(OWNERS_FILE));
        try {
            FileLock lock = tryLock(channel);
            if (lock == null) {
                throw inUse(folder, channel);
            }
            channel.truncate(0);
            channel.write(StandardCharsets.US_ASCII.encode(ProcessHandle.current().pid() + "\n"), 0);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** The system frees the lock of a process that is gone, so that one left behind is simply taken. */
    private static FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private static Refusal inUse(Path folder, FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(LONGEST_PID);
        channel.read(bytes, 0);
        String pid = StandardCharsets.US_ASCII.decode(bytes.flip()).toString().strip();
        return new Refusal(Errno.EBUSY, "The data folder %s is in use by process %s. To talk to that platform, type: %s"
                .formatted(folder, pid.matches("\\d+") ? pid : "(not known)",
                        "./manafold attach --data " + Texts.quoted(folder.toString())));
    }
}
