package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * A socket of the kernel's TCP by its descriptor, without a channel of Java around it. Sending, receiving and accepting
 * are not this class's: a ring's. Connecting here only begins; a ring may do that too.
 */
public final class TcpSocket implements AutoCloseable {
    /** Level and number of options that are asked for elsewhere. */
    public static final int SOL_SOCKET = 1;
    public static final int SO_ERROR = 4;
    public static final int SO_SNDBUF = 7;
    public static final int SO_RCVBUF = 8;
    public static final int SO_LINGER = 13;
    public static final int SO_BUSY_POLL = 46;
    public static final int SO_INCOMING_CPU = 49;
    public static final int SO_INCOMING_NAPI_ID = 56;
    public static final int IPPROTO_TCP = 6;
    public static final int TCP_NODELAY = 1;
    public static final int TCP_CONGESTION = 13;
    public static final int TCP_USER_TIMEOUT = 18;

    private static final int SO_REUSEADDR = 2;
    private static final int LONGEST_NAME = 16;

    private static final LibraryCall GETSOCKNAME = LibraryCall.returningInt("getsockname");
    private static final LibraryCall GETPEERNAME = LibraryCall.returningInt("getpeername");

    private final Descriptor descriptor;

    private TcpSocket(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /** A new one for the family of an address. */
    public static TcpSocket open(InetSocketAddress address) throws SystemCallException {
        return new TcpSocket(new Descriptor((int) Libc.checked("socket",
                SocketCalls.socket(InternetAddress.family(address), SocketCalls.SOCK_STREAM, IPPROTO_TCP))));
    }

    /** Takes over the descriptor of one that a ring has accepted. */
    public static TcpSocket adopt(int number) {
        return new TcpSocket(new Descriptor(number));
    }

    /** One that accepts at an address; port 0 is any. */
    public static TcpSocket listen(InetSocketAddress address, int backlog) throws SystemCallException {
        TcpSocket made = open(address);
        try {
            made.option(SOL_SOCKET, SO_REUSEADDR, 1);
            made.bind(address);
            Libc.checked("listen at " + address, SocketCalls.listen(made.number(), backlog));
            return made;
        } catch (SystemCallException refused) {
            made.close();
            throw refused;
        }
    }

    /** The descriptor, still owned by this. */
    public Descriptor descriptor() {
        return descriptor;
    }

    /** Its number. */
    public int number() {
        return descriptor.number();
    }

    /** Gives it an address of ours; port 0 is any. */
    public void bind(InetSocketAddress address) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment encoded = InternetAddress.encode(address, arena);
            Libc.checked("bind to " + address, SocketCalls.bind(number(), encoded.address(), (int) encoded.byteSize()));
        }
    }

    /** Connects, waiting as the descriptor does. */
    public void connect(InetSocketAddress address) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment encoded = InternetAddress.encode(address, arena);
            Libc.checked("connect to " + address,
                    SocketCalls.connect(number(), encoded.address(), (int) encoded.byteSize()));
        }
    }

    /** Our end. */
    public InetSocketAddress local() throws SystemCallException {
        return name("getsockname", GETSOCKNAME);
    }

    /** The peer's end; {@code ENOTCONN} without one. */
    public InetSocketAddress remote() throws SystemCallException {
        return name("getpeername", GETPEERNAME);
    }

    private InetSocketAddress name(String what, LibraryCall call) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment room = arena.allocate(InternetAddress.LONGEST, 8);
            MemorySegment length = arena.allocateFrom(JAVA_INT, (int) room.byteSize());
            Libc.checked(what, call.call(number(), room.address(), length.address()));
            return InternetAddress.decode(room);
        }
    }

    /** An option that is a number. */
    public int option(int level, int option) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_INT);
            MemorySegment length = arena.allocateFrom(JAVA_INT, 4);
            Libc.checked("getsockopt " + option,
                    SocketCalls.option(number(), level, option, value.address(), length.address()));
            return value.get(JAVA_INT, 0);
        }
    }

    /** Sets an option that is a number. */
    public void option(int level, int option, int value) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            Libc.checked("setsockopt " + option + " to " + value, SocketCalls.setOption(number(), level, option,
                    arena.allocateFrom(JAVA_INT, value).address(), 4));
        }
    }

    /** How long closing waits for what is unsent, in seconds; 0 resets the connection instead. */
    public void linger(int seconds) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            Libc.checked("setsockopt SO_LINGER", SocketCalls.setOption(number(), SOL_SOCKET, SO_LINGER,
                    arena.allocateFrom(JAVA_INT, 1, seconds).address(), 8));
        }
    }

    /** The algorithm that keeps the connection from overloading the way. */
    public String congestion() throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(LONGEST_NAME + 1);
            MemorySegment length = arena.allocateFrom(JAVA_INT, LONGEST_NAME);
            Libc.checked("getsockopt TCP_CONGESTION", SocketCalls.option(number(), IPPROTO_TCP, TCP_CONGESTION,
                    value.address(), length.address()));
            return value.getString(0, StandardCharsets.US_ASCII);
        }
    }

    /** Picks that algorithm by name; one that the kernel does not have is {@code ENOENT}. */
    public void congestion(String name) throws SystemCallException {
        byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        try (Arena arena = Arena.ofConfined()) {
            Libc.checked("setsockopt TCP_CONGESTION to " + name, SocketCalls.setOption(number(), IPPROTO_TCP,
                    TCP_CONGESTION, arena.allocateFrom(JAVA_BYTE, bytes).address(),
                    Math.min(bytes.length, LONGEST_NAME)));
        }
    }

    /** Ends one direction (0 receiving, 1 sending) or both (2). */
    public void shutdown(int direction) throws SystemCallException {
        Libc.checked("shutdown", SocketCalls.shutdown(number(), direction));
    }

    /** Breaks the connection at once: the peer is told, and what is on its way is lost. The descriptor stays. */
    public void reset() throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            // no address at all
            Libc.checked("connect to nothing", SocketCalls.connect(number(), arena.allocate(16, 8).address(), 16));
        }
    }

    @Override
    public void close() {
        descriptor.close();
    }
}
