package io.manafold.pmd.internal.telemetry;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Where files of running environments lie, as tools for DPDK look for them: a folder of this user alone for each name.
 */
public final class RuntimeFolder {
    private RuntimeFolder() {
    }

    /** The place for all of a user's; {@code RUNTIME_DIRECTORY} is how a service manager gives one to a service. */
    public static Path root() {
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

    /**
     * The folder of an environment's name, made if it is not there.
     *
     * @throws Refusal {@code EACCES} if it is another user's, or others may write there
     */
    public static Path of(Path root, String prefix) {
        try {
            return own(own(root).resolve(prefix));
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
            Files.createDirectory(folder,
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        PosixFileAttributes there = Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        String user = System.getProperty("user.name");
        if (!there.isDirectory() || !there.owner().getName().equals(user)
                || there.permissions().contains(PosixFilePermission.GROUP_WRITE)
                || there.permissions().contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new Refusal(Errno.EACCES, folder + " is no folder of " + user
                    + " alone; others could put a socket of theirs there. Have it removed, or start with --in-memory.");
        }
        return folder;
    }
}
