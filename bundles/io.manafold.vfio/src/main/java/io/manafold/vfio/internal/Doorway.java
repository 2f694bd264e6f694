package io.manafold.vfio.internal;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.EventFd;
import io.manafold.linux.Poll;
import io.manafold.linux.SystemCallException;
import io.manafold.linux.UnixListener;
import io.manafold.linux.UnixSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

/** The socket that clients come to, in a folder of ours; its file is there as long as the socket is. */
final class Doorway implements AutoCloseable {
    private static final int EADDRINUSE = 98;

    private final UnixListener listener;
    private final Poll arrivals = new Poll(2);

    private Doorway(UnixListener listener) {
        this.listener = listener;
    }

    /**
     * Opens it. A file that a socket of the past has left behind is replaced; one that somebody waits at is not, nor is
     * any other file.
     */
    static Doorway open(Path path) {
        try {
            Files.createDirectories(path.getParent(),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            return new Doorway(UnixListener.listen(path));
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
                ? new Refusal(Errno.EBUSY, "the socket " + path + " cannot be opened: somebody else waits there. Stop "
                        + "that, or give the export another 'socket'")
                : new Refusal(Errno.EEXIST, "the socket " + path + " cannot be opened: there is something else of that "
                        + "name. Move it away, or give the export another 'socket'");
    }

    /** Waits for a client, if one is wished, or for the signal. Called by one thread. */
    boolean await(boolean forClients, EventFd wake, long nanos) throws SystemCallException {
        arrivals.clear();
        arrivals.add(listener.descriptor(), forClients ? Poll.READABLE : 0);
        arrivals.add(wake.descriptor(), Poll.READABLE);
        arrivals.await((int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(nanos) + 1));
        return forClients && arrivals.ready(0) != 0;
    }

    /** Whoever has come; to be called when somebody has. */
    UnixSocket accept() throws SystemCallException {
        return listener.accept();
    }

    @Override
    public void close() {
        listener.close();
    }
}
