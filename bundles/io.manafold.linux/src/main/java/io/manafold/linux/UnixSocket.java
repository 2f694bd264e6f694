package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A connected stream socket of this machine that carries bytes, and descriptors with them. One thread receives, any
 * thread sends or closes; what one call of {@link #send} takes is not mixed with that of another.
 */
public final class UnixSocket implements AutoCloseable {
    /** As many descriptors as one message may carry. */
    public static final int MOST_DESCRIPTORS = 16;

    private static final int CHUNK = 64 * 1024;
    private static final int EBADF = 9;
    private static final int EINVAL = 22;
    private static final int EPROTO = 71;
    private static final int SO_PEERCRED = 17;
    private static final int SO_RCVTIMEO = 20;
    private static final int SO_SNDTIMEO = 21;
    private static final int[] NONE = {};

    private final Descriptor descriptor;
    private final MessageBuffer incoming = new MessageBuffer(CHUNK, MOST_DESCRIPTORS);
    private final MessageBuffer outgoing = new MessageBuffer(CHUNK, MOST_DESCRIPTORS);
    private final Object sending = new Object();
    /** With the last piece; the receiving thread's. */
    private final List<Descriptor> came = new ArrayList<>();

    UnixSocket(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    /** Who is at the other end, as the kernel noted it when the two met. */
    public record Peer(int process, int user, int group) {
    }

    /** Connects to a listening socket. */
    public static UnixSocket connect(Path path) throws SystemCallException {
        return connect(path, 0);
    }

    /**
     * Connects to a listening socket, whose process may be slow to accept.
     *
     * @param millis how long to wait for that, and later for room in {@link #send}; 0 without end
     * @throws SystemCallException {@code EAGAIN} when the time has passed
     */
    public static UnixSocket connect(Path path, long millis) throws SystemCallException {
        return connect(path, SocketCalls.SOCK_STREAM, millis);
    }

    /** The same to {@link UnixListener#listenForPackets}: a receive has what was sent at once, as far as it fits. */
    public static UnixSocket connectForPackets(Path path, long millis) throws SystemCallException {
        return connect(path, SocketCalls.SOCK_SEQPACKET, millis);
    }

    static UnixSocket connect(Path path, int type, long millis) throws SystemCallException {
        Descriptor descriptor = new Descriptor((int) Libc.checked("socket",
                SocketCalls.socket(SocketCalls.AF_UNIX, type, 0)));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = UnixAddress.of(path, arena);
            UnixSocket socket = new UnixSocket(descriptor);
            socket.sendLimit(millis);
            Libc.checked("connect to " + path,
                    SocketCalls.connect(descriptor.number(), address.address(), UnixAddress.LENGTH));
            return socket;
        } catch (SystemCallException failed) {
            descriptor.close();
            throw failed;
        }
    }

    /** Two sockets connected to each other. */
    public static UnixSocket[] pair() throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment numbers = arena.allocate(8, 4);
            Libc.checked("socketpair",
                    SocketCalls.socketPair(SocketCalls.AF_UNIX, SocketCalls.SOCK_STREAM, numbers.address()));
            return new UnixSocket[] {new UnixSocket(new Descriptor(numbers.get(JAVA_INT, 0))),
                new UnixSocket(new Descriptor(numbers.get(JAVA_INT, 4)))};
        }
    }

    /** Takes over a connected socket that came from elsewhere. */
    public static UnixSocket adopt(Descriptor connected) {
        return new UnixSocket(Objects.requireNonNull(connected));
    }

    /** Its descriptor, still owned by this. */
    public Descriptor descriptor() {
        return descriptor;
    }

    /**
     * Waits for bytes, and takes as many as there are and fit, at most 64 KiB.
     *
     * @param descriptors gets those that came with the bytes; they belong to the message that was the last to begin in
     *        them, and to the owner of the list
     * @return how many bytes, or −1 when the other end has closed
     * @throws SystemCallException {@code EPROTO} when more descriptors came than {@link #MOST_DESCRIPTORS}: they are
     *         closed, and the connection cannot be trusted any further; {@code EBADF} after {@link #close};
     *         {@code EAGAIN} when the limit of {@link #receiveLimit} has passed
     */
    public int receive(byte[] into, int offset, int length, List<Descriptor> descriptors) throws SystemCallException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        enter("recvmsg");
        try {
            long answer;
            do {
                incoming.expect(Math.min(length, incoming.capacity()));
                answer = SocketCalls.receive(descriptor.number(), incoming.address(), SocketCalls.MSG_CMSG_CLOEXEC);
            } while (answer == -Libc.EINTR);
            Libc.checked("recvmsg", answer);
            came.clear();
            if (!incoming.descriptors(came)) {
                came.forEach(Descriptor::close);
                throw new SystemCallException("recvmsg: more than " + MOST_DESCRIPTORS + " descriptors came at once",
                        EPROTO);
            }
            incoming.take(into, offset, (int) answer);
            if (!came.isEmpty()) {
                descriptors.addAll(came);
                came.clear();
            }
            return answer == 0 ? -1 : (int) answer;
        } finally {
            descriptor.leave();
            Reference.reachabilityFence(incoming);
        }
    }

    /**
     * As {@link #receive(byte[], int, int, List)}, for callers that expect no descriptors: any that come are closed.
     */
    public int receive(byte[] into, int offset, int length) throws SystemCallException {
        List<Descriptor> unasked = new ArrayList<>();
        try {
            return receive(into, offset, length, unasked);
        } finally {
            unasked.forEach(Descriptor::close);
        }
    }

    /** Sends all bytes. */
    public void send(byte[] from, int offset, int length) throws SystemCallException {
        send(from, offset, length, NONE);
    }

    /**
     * Sends all bytes, and descriptors with the first of them. The other end gets descriptors of its own; these stay
     * the caller's. Bytes that go together go in one call as far as they fit into 64 KiB.
     *
     * @throws SystemCallException {@code EPIPE} when the other end has closed, {@code EAGAIN} when the limit of
     *         {@link #sendLimit} has passed: then a part may be on its way, and the stream is of no more use
     */
    public void send(byte[] from, int offset, int length, int... descriptors) throws SystemCallException {
        Objects.checkFromIndexSize(offset, length, from.length);
        if (descriptors.length > MOST_DESCRIPTORS || descriptors.length > 0 && length == 0) {
            throw new SystemCallException("sendmsg: " + descriptors.length + " descriptors with " + length
                    + " bytes; at most " + MOST_DESCRIPTORS + " go with at least one byte", EINVAL);
        }
        enter("sendmsg");
        try {
            synchronized (sending) {
                int done = 0;
                while (done < length) {
                    int chunk = Math.min(length - done, outgoing.capacity());
                    outgoing.offer(from, offset + done, chunk, done == 0 ? descriptors : NONE);
                    long answer = SocketCalls.send(descriptor.number(), outgoing.address(), SocketCalls.MSG_NOSIGNAL);
                    if (answer != -Libc.EINTR) {
                        done += (int) Libc.checked("sendmsg", answer);
                    }
                }
            }
        } finally {
            descriptor.leave();
            Reference.reachabilityFence(outgoing);
        }
    }

    /** How long {@link #receive} waits; 0 without end. */
    public void receiveLimit(long millis) throws SystemCallException {
        limit(SO_RCVTIMEO, millis);
    }

    /** How long {@link #send} waits for room; 0 without end. */
    public void sendLimit(long millis) throws SystemCallException {
        limit(SO_SNDTIMEO, millis);
    }

    private void limit(int option, long millis) throws SystemCallException {
        enter("setsockopt");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment time = arena.allocate(16, 8);
            time.set(JAVA_LONG, 0, millis / 1000);
            time.set(JAVA_LONG, 8, millis % 1000 * 1000);
            Libc.checked("setsockopt", SocketCalls.setOption(descriptor.number(), SocketCalls.SOL_SOCKET, option,
                    time.address(), 16));
        } finally {
            descriptor.leave();
        }
    }

    /** Who is at the other end. */
    public Peer peer() throws SystemCallException {
        enter("getsockopt(SO_PEERCRED)");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(16, 8);
            value.set(JAVA_INT, 12, 12);
            Libc.checked("getsockopt(SO_PEERCRED)", SocketCalls.option(descriptor.number(), SocketCalls.SOL_SOCKET,
                    SO_PEERCRED, value.address(), value.address() + 12));
            return new Peer(value.get(JAVA_INT, 0), value.get(JAVA_INT, 4), value.get(JAVA_INT, 8));
        } finally {
            descriptor.leave();
        }
    }

    /** Tells the other end that no more bytes follow. */
    public void endOfSending() throws SystemCallException {
        enter("shutdown");
        try {
            Libc.checked("shutdown", SocketCalls.shutdown(descriptor.number(), 1));
        } finally {
            descriptor.leave();
        }
    }

    private void enter(String call) throws SystemCallException {
        if (!descriptor.enter()) {
            throw new SystemCallException(call, EBADF);
        }
    }

    /**
     * Ends both directions: wakes threads that wait here, and tells the other end, which can send no more. What has
     * come until now can still be received; to close before it has been is an error at the other end.
     */
    public void shutdown() {
        if (descriptor.enter()) {
            try {
                SocketCalls.shutdown(descriptor.number(), 2);
            } finally {
                descriptor.leave();
            }
        }
    }

    /** Wakes threads that wait here, and tells the other end. */
    @Override
    public void close() {
        shutdown();
        descriptor.close();
    }
}
