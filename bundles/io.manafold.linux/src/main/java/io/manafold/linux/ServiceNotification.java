package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Tells a service manager such as systemd how a service is: a datagram to the socket that the environment names. */
public final class ServiceNotification {
    /** The variable of the environment that names the socket. */
    public static final String VARIABLE = "NOTIFY_SOCKET";
    private static final int LONGEST_NAME = 108;
    private static final int FAMILY = 2;
    private static final int HEADER = 56;
    private static final int ENAMETOOLONG = 36;
    private static final int EINVAL = 22;

    private ServiceNotification() {
    }

    /**
     * Sends a message; never waits for the service manager that reads it.
     *
     * @param socket a path, or a name that begins with {@code @} for one that lies in no file system
     * @param message such as {@code READY=1}
     */
    public static void send(String socket, String message) throws IOException {
        byte[] name = socket.getBytes(StandardCharsets.UTF_8);
        if (name.length > LONGEST_NAME) {
            throw new SystemCallException("the name of a socket has at most " + LONGEST_NAME + " bytes, that in "
                    + VARIABLE + " has " + name.length, ENAMETOOLONG);
        }
        if (name.length < 2 || name[0] != '/' && name[0] != '@') {
            throw new SystemCallException(VARIABLE + " names a path or begins with @; it is '" + socket + "'", EINVAL);
        }
        boolean hidden = name[0] == '@';
        if (hidden) {
            name[0] = 0;
        }
        byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
        try (Descriptor descriptor = new Descriptor((int) Libc.checked("socket",
                SocketCalls.socket(SocketCalls.AF_UNIX, SocketCalls.SOCK_DGRAM, 0)));
                Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(FAMILY + LONGEST_NAME + 1, 8);
            address.set(JAVA_SHORT, 0, (short) SocketCalls.AF_UNIX);
            MemorySegment.copy(name, 0, address, JAVA_BYTE, FAMILY, name.length);
            MemorySegment text = arena.allocate(bytes.length, 8);
            MemorySegment.copy(bytes, 0, text, JAVA_BYTE, 0, bytes.length);
            MemorySegment piece = arena.allocate(16, 8);
            piece.set(JAVA_LONG, 0, text.address());
            piece.set(JAVA_LONG, 8, bytes.length);
            MemorySegment header = arena.allocate(HEADER, 8);
            header.set(JAVA_LONG, 0, address.address());
            // a path ends with a zero, a name without one fills what is said of its length
            header.set(JAVA_INT, 8, FAMILY + name.length + (hidden ? 0 : 1));
            header.set(JAVA_LONG, 16, piece.address());
            header.set(JAVA_LONG, 24, 1);
            Libc.checked("send to " + socket, SocketCalls.send(descriptor.number(), header.address(),
                    SocketCalls.MSG_NOSIGNAL | SocketCalls.MSG_DONTWAIT));
        }
    }
}
