package io.manafold.pmd.internal.process;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.LockedFile;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixSocket;
import io.manafold.pmd.internal.telemetry.RuntimeFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * That an environment is the only primary of its name that its user has, in whatever process: a locked file in the
 * folder of that name. The lock goes with its process, however that ends; the file alone keeps no other primary away.
 */
public final class PrimaryLock implements AutoCloseable {
    /** Its name in the folder of the environment. */
    public static final String NAME = "primary_lock";
    /** Others may end, and delete the file, between any two steps. */
    private static final int TRIES = 100;
    private static final int LONGEST_PROCESS = 10;
    private static final long GLANCE_MILLIS = 50;
    private static final int ENOENT = 2;
    private static final int EAGAIN = 11;

    private final Path file;
    /** Which file it is, so that no other is deleted. */
    private final Object number;
    private final LockedFile lock;
    private final AtomicBoolean closed = new AtomicBoolean();

    private PrimaryLock(Path file, Object number, LockedFile lock) {
        this.file = file;
        this.number = number;
        this.lock = lock;
    }

    /**
     * Has this process be the primary of a name.
     *
     * @param root the place for all names of this user
     * @throws Refusal {@code EBUSY} if another process is, or another environment of this one; {@code EACCES} for a
     *     folder or a file there that is not this user's alone
     */
    public static PrimaryLock take(Path root, String prefix) {
        Path file = root.resolve(prefix).resolve(NAME);
        try {
            for (int left = TRIES; left > 0; left--) {
                RuntimeFolder.of(root, prefix);
                PrimaryLock taken = tryTake(file, prefix);
                if (taken != null) {
                    return taken;
                }
            }
        } catch (IOException wrong) {
            throw new Refusal(Errno.EACCES, "The file " + file + ", by which there is one primary called " + prefix
                    + ", cannot be locked: " + wrong.getMessage() + ". Have it removed, or start with --in-memory.",
                    wrong);
        }
        throw new Refusal(Errno.EBUSY, "The file " + file + " is made and deleted again and again by others; give this "
                + "environment another name by --file-prefix.");
    }

    /** Returns {@code null} if the file has been deleted meanwhile. */
    private static PrimaryLock tryTake(Path file, String prefix) throws IOException {
        LockedFile lock = null;
        boolean isTaken = false;
        try {
            Object before = made(file);
            Optional<LockedFile> locked = LockedFile.tryLock(file);
            if (locked.isEmpty()) {
                throw new Refusal(Errno.EBUSY, "A primary that is called " + prefix + " runs already, in "
                        + holder(file) + ", which has locked " + file + ". Be its secondary by "
                        + "--proc-type=secondary, or give this one another name by --file-prefix, or --in-memory.");
            }
            lock = locked.get();
            // as long as this one is open, no other file has its number
            if (before.equals(number(file))) {
                Path socket = file.resolveSibling(PrimarySocket.NAME);
                if (answers(socket)) {
                    Files.delete(file);
                    throw new Refusal(Errno.EBUSY, "A primary that is called " + prefix + " runs already: it answers "
                            + "at " + socket + ", though its file " + NAME + " has been deleted. Be its secondary by "
                            + "--proc-type=secondary, or give this one another name by --file-prefix, or --in-memory.");
                }
                Files.writeString(file, ProcessHandle.current().pid() + "\n");
                isTaken = true;
                return new PrimaryLock(file, before, lock);
            }
            return null;
        } catch (NoSuchFileException gone) {
            return null;
        } catch (SystemCallException failed) {
            if (failed.errno() == ENOENT) {
                return null;
            }
            throw failed;
        } finally {
            if (lock != null && !isTaken) {
                lock.close();
            }
        }
    }

    /** The file of a primary that lives may have been deleted, by hand or as an old one: its socket answers. */
    private static boolean answers(Path socket) {
        try {
            UnixSocket.connectForPackets(socket, GLANCE_MILLIS).close();
            return true;
        } catch (SystemCallException none) {
            // one that does not accept has a full queue: that is an answer, too
            return none.errno() == EAGAIN;
        }
    }

    /** Makes the file if it is not there; the number by which its file system knows it. */
    private static Object made(Path file) throws IOException {
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException there) {
            // of a primary that runs, or was killed
        }
        Map<String, Object> is = Files.readAttributes(file, "unix:ino,uid,isRegularFile", LinkOption.NOFOLLOW_LINKS);
        Object user = RuntimeFolder.user();
        if (!Boolean.TRUE.equals(is.get("isRegularFile")) || !user.equals(is.get("uid"))) {
            throw new Refusal(Errno.EACCES, file + ", by which there is one primary of that name, is no file of this "
                    + "user's own, but a link, a folder, or another user's. Have it removed, or start with "
                    + "--in-memory.");
        }
        return is.get("ino");
    }

    private static Object number(Path file) throws IOException {
        return Files.getAttribute(file, "unix:ino", LinkOption.NOFOLLOW_LINKS);
    }

    /** Who has it locked, as far as that has written it down. */
    private static String holder(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            String process = new String(in.readNBytes(LONGEST_PROCESS), StandardCharsets.ISO_8859_1).strip();
            return process.matches("[0-9]+") ? "process " + process : "another process";
        }
    }

    /** Another process can be the primary of that name. A second time does nothing. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            if (number.equals(number(file))) {
                Files.delete(file);
            }
        } catch (IOException stays) {
            // the file alone keeps no other away
        }
        lock.close();
        RuntimeFolder.leave(file.getParent());
    }
}
