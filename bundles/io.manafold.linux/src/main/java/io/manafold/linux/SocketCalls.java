package io.manafold.linux;

/** The calls on sockets: each answers a result or a negative error number, and is not repeated. */
final class SocketCalls {
    static final int AF_UNIX = 1;
    static final int AF_INET = 2;
    static final int AF_PACKET = 17;
    static final int SOCK_STREAM = 1;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_RAW = 3;
    static final int SOCK_SEQPACKET = 5;
    static final int SOCK_NONBLOCK = 0x800;
    static final int SOCK_CLOEXEC = 0x80000;
    static final int SOL_SOCKET = 1;
    static final int MSG_DONTWAIT = 0x40;
    static final int MSG_NOSIGNAL = 0x4000;
    static final int MSG_CMSG_CLOEXEC = 0x40000000;

    private static final LibraryCall SOCKET = LibraryCall.returningInt("socket");
    private static final LibraryCall SOCKETPAIR = LibraryCall.returningInt("socketpair");
    private static final LibraryCall BIND = LibraryCall.returningInt("bind");
    private static final LibraryCall CONNECT = LibraryCall.returningInt("connect");
    private static final LibraryCall LISTEN = LibraryCall.returningInt("listen");
    private static final LibraryCall ACCEPT = LibraryCall.returningInt("accept4");
    private static final LibraryCall SHUTDOWN = LibraryCall.returningInt("shutdown");
    private static final LibraryCall RECVMSG = LibraryCall.returningLong("recvmsg");
    private static final LibraryCall SENDMSG = LibraryCall.returningLong("sendmsg");
    private static final LibraryCall GETSOCKOPT = LibraryCall.returningInt("getsockopt");
    private static final LibraryCall SETSOCKOPT = LibraryCall.returningInt("setsockopt");

    private SocketCalls() {
    }

    static long socket(int family, int type, int protocol) {
        return SOCKET.call(family, type | SOCK_CLOEXEC, protocol);
    }

    static long socketPair(int family, int type, long numbers) {
        return SOCKETPAIR.call(family, type | SOCK_CLOEXEC, 0, numbers);
    }

    static long bind(int socket, long address, int length) {
        return BIND.call(socket, address, length);
    }

    static long connect(int socket, long address, int length) {
        return CONNECT.call(socket, address, length);
    }

    static long listen(int socket, int backlog) {
        return LISTEN.call(socket, backlog);
    }

    static long accept(int socket) {
        return ACCEPT.call(socket, 0L, 0L, SOCK_CLOEXEC);
    }

    /** Ends one direction (0 receiving, 1 sending) or both (2). */
    static long shutdown(int socket, int direction) {
        return SHUTDOWN.call(socket, direction);
    }

    static long receive(int socket, long header, int flags) {
        return RECVMSG.call(socket, header, flags);
    }

    static long send(int socket, long header, int flags) {
        return SENDMSG.call(socket, header, flags);
    }

    static long option(int socket, int level, int option, long value, long lengthAddress) {
        return GETSOCKOPT.call(socket, level, option, value, lengthAddress);
    }

    static long setOption(int socket, int level, int option, long value, int length) {
        return SETSOCKOPT.call(socket, level, option, value, length);
    }
}
