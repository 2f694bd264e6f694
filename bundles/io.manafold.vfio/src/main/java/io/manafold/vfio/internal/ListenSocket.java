package io.manafold.vfio.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Descriptor;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixListener;
import io.manafold.linux.UnixSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/** The socket that clients come to, in a folder of ours; its file is there as long as the socket is. */
final class ListenSocket implements AutoCloseable {
    private static final int EADDRINUSE = 98;

    private final UnixListener listener;

    private ListenSocket(UnixListener listener) {
        this.listener = listener;
    }

    /**
     * Opens it. A file that a socket of the past has left behind is replaced; one that another process waits at is not,
     * nor is any other file.
     */
    static ListenSocket open(Path path) {
        try {
            Files.createDirectories(path.getParent(),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            return new ListenSocket(UnixListener.listen(path));
        } catch (SystemCallException failed) {
            throw failed.errno() == EADDRINUSE ? taken(path) : new Refusal(Errno.EIO,
                    "the socket " + path + " cannot be opened: " + failed.getMessage(), failed);
        } catch (IOException failed) {
            throw new Refusal(Errno.EIO, "the socket " + path + " cannot be opened: "
                    + failed.getClass().getSimpleName() + ": " + failed.getMessage(), failed);
        }
    }

    private static Refusal taken(Path path) {
        boolean socket;
        try {
            socket = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).isOther();
        } catch (IOException gone) {
            socket = true;
        }
        return socket
                ? new Refusal(Errno.EBUSY, "the socket " + path + " cannot be opened: another process waits there. "
                        + "Stop that, or give the export another 'socket'")
                : new Refusal(Errno.EEXIST, "the socket " + path + " cannot be opened: there is something else of that "
                        + "name. Move it away, or give the export another 'socket'");
    }

    /** What can be read from when a client has come. */
    Descriptor descriptor() {
        return listener.descriptor();
    }

    /** The client that has come; to be called when one has. */
    UnixSocket accept() throws SystemCallException {
        return listener.accept();
    }

    @Override
    public void close() {
        listener.close();
    }
}
