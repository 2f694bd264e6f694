package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** A conversation with this machine's kernel in messages. Belongs to one thread. */
public final class NetlinkSocket implements AutoCloseable {
    /** The protocol of generic netlink. */
    public static final int GENERIC = 16;

    private static final int AF_NETLINK = 16;
    private static final int SOL_NETLINK = 270;
    private static final int CAP_ACK = 10;
    private static final int EXT_ACK = 11;
    private static final int SO_RCVTIMEO = 20;
    private static final int ADDRESS = 12;
    private static final int VECTOR = 64;
    private static final int DATA = 80;
    private static final int ROOM = 64 * 1024;
    private static final int EMSGSIZE = 90;
    private static final int EBADF = 9;

    private final Descriptor descriptor;
    private final MemorySegment block = Arena.ofAuto().allocate(DATA + ROOM, 16);

    private NetlinkSocket(Descriptor descriptor) {
        this.descriptor = descriptor;
        block.set(JAVA_LONG, 16, block.address() + VECTOR);
        block.set(JAVA_LONG, 24, 1);
        block.set(JAVA_LONG, VECTOR, block.address() + DATA);
    }

    /**
     * Opens one whose refusals say as much as the kernel has to say, and repeat only the header of what was refused.
     *
     * @param millis how long {@link #receive} waits
     */
    public static NetlinkSocket open(int protocol, long millis) throws SystemCallException {
        Descriptor descriptor = new Descriptor((int) Libc.checked("socket(AF_NETLINK)",
                SocketCalls.socket(AF_NETLINK, SocketCalls.SOCK_RAW, protocol)));
        try (Arena arena = Arena.ofConfined()) {
            int socket = descriptor.number();
            MemorySegment value = arena.allocate(16, 8);
            value.set(JAVA_INT, 0, 1);
            for (int option : new int[] {CAP_ACK, EXT_ACK}) {
                Libc.checked("setsockopt(SOL_NETLINK)",
                        SocketCalls.setOption(socket, SOL_NETLINK, option, value.address(), 4));
            }
            value.set(JAVA_LONG, 0, millis / 1000);
            value.set(JAVA_LONG, 8, millis % 1000 * 1000);
            Libc.checked("setsockopt(SO_RCVTIMEO)",
                    SocketCalls.setOption(socket, SocketCalls.SOL_SOCKET, SO_RCVTIMEO, value.address(), 16));
            value.fill((byte) 0);
            value.set(JAVA_SHORT, 0, (short) AF_NETLINK);
            Libc.checked("bind(AF_NETLINK)", SocketCalls.bind(socket, value.address(), ADDRESS));
            return new NetlinkSocket(descriptor);
        } catch (SystemCallException failed) {
            descriptor.close();
            throw failed;
        }
    }

    /** Sends a datagram to the kernel. */
    public void send(byte[] datagram) throws SystemCallException {
        if (datagram.length > ROOM) {
            throw new SystemCallException("sendmsg of " + datagram.length + " bytes", EMSGSIZE);
        }
        MemorySegment.copy(datagram, 0, block, JAVA_BYTE, DATA, datagram.length);
        call("sendmsg", datagram.length, 0);
    }

    /**
     * Waits for the next datagram.
     *
     * @throws SystemCallException {@code EAGAIN} when the time has passed
     */
    public byte[] receive() throws SystemCallException {
        int length = call("recvmsg", ROOM, 1);
        byte[] datagram = new byte[length];
        MemorySegment.copy(block, JAVA_BYTE, DATA, datagram, 0, length);
        return datagram;
    }

    private int call(String name, int length, int direction) throws SystemCallException {
        if (!descriptor.enter()) {
            throw new SystemCallException(name, EBADF);
        }
        try {
            long answer;
            do {
                block.set(JAVA_LONG, VECTOR + 8, length);
                block.set(JAVA_INT, 48, 0);
                answer = direction == 0 ? SocketCalls.send(descriptor.number(), block.address(), 0)
                        : SocketCalls.receive(descriptor.number(), block.address(), 0);
            } while (answer == -Libc.EINTR);
            return (int) Libc.checked(name, answer);
        } finally {
            descriptor.leave();
            Reference.reachabilityFence(block);
        }
    }

    @Override
    public void close() {
        descriptor.close();
    }
}
