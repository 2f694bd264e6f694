package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The calls on sockets: each answers a result or a negative error number, and is not repeated. */
final class SocketCalls {
    static final int AF_UNIX = 1;
    static final int AF_INET = 2;
    static final int AF_PACKET = 17;
    static final int SOCK_STREAM = 1;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_RAW = 3;
    static final int SOCK_NONBLOCK = 0x800;
    static final int SOCK_CLOEXEC = 0x80000;
    static final int SOL_SOCKET = 1;
    static final int MSG_DONTWAIT = 0x40;
    static final int MSG_NOSIGNAL = 0x4000;
    static final int MSG_CMSG_CLOEXEC = 0x40000000;

    private static final MethodHandle SOCKET = Libc.returningInt("socket", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle SOCKETPAIR =
            Libc.returningInt("socketpair", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG);
    private static final MethodHandle BIND = Libc.returningInt("bind", JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle CONNECT = Libc.returningInt("connect", JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle LISTEN = Libc.returningInt("listen", JAVA_INT, JAVA_INT);
    private static final MethodHandle ACCEPT =
            Libc.returningInt("accept4", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SHUTDOWN = Libc.returningInt("shutdown", JAVA_INT, JAVA_INT);
    private static final MethodHandle RECVMSG = Libc.returningLong("recvmsg", JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SENDMSG = Libc.returningLong("sendmsg", JAVA_INT, JAVA_LONG, JAVA_INT);
    private static final MethodHandle GETSOCKOPT =
            Libc.returningInt("getsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SETSOCKOPT =
            Libc.returningInt("setsockopt", JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);

    private SocketCalls() {
    }

    static long socket(int family, int type, int protocol) {
        try {
            MemorySegment state = Libc.state();
            return Libc.answer((int) SOCKET.invokeExact(state, family, type | SOCK_CLOEXEC, protocol), state);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static long socketPair(int family, int type, long numbers) {
        try {
            MemorySegment state = Libc.state();
            return Libc.answer((int) SOCKETPAIR.invokeExact(state, family, type | SOCK_CLOEXEC, 0, numbers), state);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static long bind(int socket, long address, int length) {
        try {
            MemorySegment state = Libc.state();
            return Libc.answer((int) BIND.invokeExact(state, socket, address, length), state);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static long connect(int socket, long address, int length) {
        try {
            MemorySegment state = Libc.state();
            return Libc.answer((int) CONNECT.invokeExact(state, socket, address, length), state);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static long listen(int socket, int backlog) {
        try {
            MemorySegment state = Libc.state();
            return Libc.answer((int) LISTEN.invokeExact(state, socket, backlog), state);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static long accept(int socket) {
        try {
            MemorySegment state = Libc.state();
            return Libc.answer((int) ACCEPT.invokeExact(state, socket, 0L, 0L, SOCK_CLOEXEC), state);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    /** Ends one direction (0 receiving, 1 sending) or both (2). */
    static long shutdown(int socket, int direction) {
        try {
            MemorySegment state = Libc.state();
            return Libc.answer((int) SHUTDOWN.invokeExact(state, socket, direction), state);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static long receive(int socket, long header, int flags) {
        try {
            MemorySegment state = Libc.state();
            return Libc.answer((long) RECVMSG.invokeExact(state, socket, header, flags), state);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static long send(int socket, long header, int flags) {
        try {
            MemorySegment state = Libc.state();
            return Libc.answer((long) SENDMSG.invokeExact(state, socket, header, flags), state);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static long option(int socket, int level, int option, long value, long lengthAddress) {
        try {
            MemorySegment state = Libc.state();
            return Libc.answer((int) GETSOCKOPT.invokeExact(state, socket, level, option, value, lengthAddress),
                    state);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }

    static long setOption(int socket, int level, int option, long value, int length) {
        try {
            MemorySegment state = Libc.state();
            return Libc.answer((int) SETSOCKOPT.invokeExact(state, socket, level, option, value, length), state);
        } catch (Throwable thrown) {
            throw Libc.unexpected(thrown);
        }
    }
}
