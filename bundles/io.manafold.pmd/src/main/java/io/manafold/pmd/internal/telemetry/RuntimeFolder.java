package io.manafold.pmd.internal.telemetry;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.nio.file.AccessMode;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

/**
 * Where files of running environments lie, as tools for DPDK look for them: a folder of this user alone for each name.
 */
public final class RuntimeFolder {
    /** Other environments may end, and delete the folder, between any two steps. */
    private static final int TRIES = 100;

    private RuntimeFolder() {
    }

    /** The place for all of a user's; {@code RUNTIME_DIRECTORY} is how a service manager gives one to a service. */
    public static Path root() {
        return root(wanted(), Path.of(System.getProperty("java.io.tmpdir")));
    }

    /** Where tools look, or with what is temporary if nothing can be written there. */
    static Path root(Path wanted, Path temporary) {
        Path there = wanted.toAbsolutePath();
        while (!Files.exists(there, LinkOption.NOFOLLOW_LINKS) && there.getParent() != null) {
            there = there.getParent();
        }
        return Files.isDirectory(there) && Files.isWritable(there) ? wanted : temporary.resolve("dpdk");
    }

    private static Path wanted() {
        String given = System.getenv("RUNTIME_DIRECTORY");
        if (given != null && !given.isEmpty()) {
            return Path.of(given, "dpdk");
        }
        String run = System.getenv("XDG_RUNTIME_DIR");
        if ("root".equals(System.getProperty("user.name"))) {
            return Path.of("/var/run/dpdk");
        }
        return Path.of(run == null || run.isEmpty() ? "/tmp" : run, "dpdk");
    }

    /** The number of this process's user, who need not have a name. */
    public static Object user() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }

    /**
     * The folder of an environment's name, made if it is not there.
     *
     * @throws Refusal {@code EACCES} if it is another user's, if others may write there, or nothing can be written
     */
    public static Path of(Path root, String prefix) {
        try {
            NoSuchFileException gone = null;
            for (int left = TRIES; left > 0; left--) {
                try {
                    return own(own(root).resolve(prefix));
                } catch (NoSuchFileException meanwhile) {
                    gone = meanwhile;
                }
            }
            throw gone;
        } catch (IOException wrong) {
            throw new Refusal(Errno.EACCES, "The folder " + root.resolve(prefix) + " cannot be had: "
                    + wrong.getMessage() + ".", wrong);
        }
    }

    /** Deletes the folder of an environment's name, unless another environment of that name has files there. */
    public static void leave(Path folder) {
        try {
            Files.deleteIfExists(folder);
        } catch (IOException used) {
            // there are files in it, or it is no longer this user's: it stays
        }
    }

    private static Path own(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(folder.toAbsolutePath().getParent());
            try {
                Files.createDirectory(folder,
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (FileAlreadyExistsException meanwhile) {
                // by another environment, or by another user: that is looked at next
            }
        }
        Map<String, Object> there = Files.readAttributes(folder, "unix:uid,isDirectory,permissions",
                LinkOption.NOFOLLOW_LINKS);
        Object user = user();
        Set<?> permissions = (Set<?>) there.get("permissions");
        if (!Boolean.TRUE.equals(there.get("isDirectory")) || !user.equals(there.get("uid"))
                || permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new Refusal(Errno.EACCES, folder + " is no folder of user " + user
                    + " alone; others could put a socket of theirs there. Have it removed, or start with --in-memory.");
        }
        try {
            folder.getFileSystem().provider().checkAccess(folder, AccessMode.WRITE);
        } catch (NoSuchFileException meanwhile) {
            throw meanwhile;
        } catch (IOException denied) {
            throw new Refusal(Errno.EACCES, folder + " cannot be written; have another place named by "
                    + "RUNTIME_DIRECTORY, or start with --in-memory.", denied);
        }
        return folder;
    }
}
