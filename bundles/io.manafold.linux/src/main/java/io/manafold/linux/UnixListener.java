package io.manafold.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A socket in the file system that others connect to. Only this user may, and the file goes when this is closed. */
public final class UnixListener implements AutoCloseable {
    private static final int BACKLOG = 16;
    private static final long GLANCE_MILLIS = 50;
    private static final int EBADF = 9;
    private static final int EADDRINUSE = 98;
    private static final int ECONNREFUSED = 111;
    private static final int TYPE = 0xf000;
    private static final int SOCKET = 0xc000;

    private final Descriptor descriptor;
    private final Path path;
    /** Which file was made, so that no other is deleted. */
    private final Object made;

    private UnixListener(Descriptor descriptor, Path path, Object made) {
        this.descriptor = descriptor;
        this.path = path;
        this.made = made;
    }

    /**
     * Makes the socket. One that a process left behind, and no process listens at, is replaced; anything else at that
     * path stays and is {@code EADDRINUSE}.
     */
    public static UnixListener listen(Path path) throws IOException {
        return listen(path, SocketCalls.SOCK_STREAM);
    }

    /** The same for sockets that keep what was sent at once together, and in order. */
    public static UnixListener listenForPackets(Path path) throws IOException {
        return listen(path, SocketCalls.SOCK_SEQPACKET);
    }

    private static UnixListener listen(Path path, int type) throws IOException {
        Descriptor descriptor = new Descriptor((int) Libc.checked("socket",
                SocketCalls.socket(SocketCalls.AF_UNIX, type, 0)));
        Object made = null;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = UnixAddress.of(path, arena);
            long answer = SocketCalls.bind(descriptor.number(), address.address(), UnixAddress.LENGTH);
            if (answer == -EADDRINUSE && leftBehind(path, type)) {
                Files.deleteIfExists(path);
                answer = SocketCalls.bind(descriptor.number(), address.address(), UnixAddress.LENGTH);
            }
            Libc.checked("bind to " + path, answer);
            made = file(path);
            // no client gets in before listen, so there is no moment in which others could
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
            Libc.checked("listen at " + path, SocketCalls.listen(descriptor.number(), BACKLOG));
            return new UnixListener(descriptor, path, made);
        } catch (IOException | RuntimeException failed) {
            descriptor.close();
            if (made != null) {
                deleteOwn(path, made);
            }
            throw failed;
        }
    }

    private static boolean leftBehind(Path path, int type) throws IOException {
        int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        if ((mode & TYPE) != SOCKET) {
            return false;
        }
        try {
            // one who listens but does not accept has a full queue: that is an answer, too, and not worth waiting for
            UnixSocket.connect(path, type, GLANCE_MILLIS).close();
            return false;
        } catch (SystemCallException failed) {
            return failed.errno() == ECONNREFUSED;
        }
    }

    private static Object file(Path path) throws IOException {
        return Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS);
    }

    private static void deleteOwn(Path path, Object made) {
        try {
            if (file(path).equals(made)) {
                Files.delete(path);
            }
        } catch (IOException gone) {
            // another process was quicker, and that is what was wanted
        }
    }

    /** Where it lies. */
    public Path path() {
        return path;
    }

    /** Its descriptor, still owned by this. */
    public Descriptor descriptor() {
        return descriptor;
    }

    /** Waits for the next who connects. After {@link #close}, {@code EBADF} or {@code EINVAL}. */
    public UnixSocket accept() throws SystemCallException {
        while (true) {
            if (!descriptor.enter()) {
                throw new SystemCallException("accept", EBADF);
            }
            long answer;
            try {
                answer = SocketCalls.accept(descriptor.number());
            } finally {
                descriptor.leave();
            }
            if (answer != -Libc.EINTR) {
                return new UnixSocket(new Descriptor((int) Libc.checked("accept", answer)));
            }
        }
    }

    /** Wakes the thread that waits in {@link #accept}, and deletes the file. */
    @Override
    public void close() {
        if (descriptor.enter()) {
            try {
                deleteOwn(path, made);
                SocketCalls.shutdown(descriptor.number(), 2);
            } finally {
                descriptor.leave();
            }
        }
        descriptor.close();
    }
}
