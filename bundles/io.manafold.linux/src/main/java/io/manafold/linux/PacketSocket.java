package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/**
 * All frames of a network interface, its own and those for others: what arrives there is received, what is sent here
 * leaves there. Whole Ethernet frames, one a call; a VLAN tag that the kernel has set aside is put back. Belongs to one
 * thread; receiving and sending never wait and never allocate. Needs {@code CAP_NET_RAW}.
 */
public final class PacketSocket implements AutoCloseable {
    private static final int EBADF = 9;
    private static final int EINVAL = 22;
    private static final int SOL_PACKET = 263;
    private static final int PACKET_ADD_MEMBERSHIP = 1;
    private static final int PACKET_AUXDATA = 8;
    private static final int PACKET_IGNORE_OUTGOING = 23;
    private static final int PROMISCUOUS = 1;
    private static final int SO_RCVBUFFORCE = 33;
    /** All protocols, in network order. */
    private static final short ALL_PROTOCOLS = 0x0300;

    private static final int STATUS_CHECKSUM_NOT_READY = 1 << 3;
    private static final int STATUS_VLAN = 1 << 4;
    private static final int STATUS_VLAN_PROTOCOL = 1 << 6;
    private static final short VLAN_PROTOCOL = (short) 0x8100;

    private static final int ADDRESSES = 12;
    private static final int TAG = 4;

    private static final int VECTOR = 64;
    private static final int CONTROL = 96;
    private static final int CONTROL_LENGTH = 64;
    private static final int AUXDATA_LENGTH = 16 + 20;

    private final Descriptor descriptor;
    private final MemorySegment header = Arena.ofAuto().allocate(CONTROL + CONTROL_LENGTH, 16);
    private boolean checksumMissing;

    private PacketSocket(Descriptor descriptor) {
        this.descriptor = descriptor;
        header.set(JAVA_LONG, 16, header.address() + VECTOR);
        header.set(JAVA_LONG, 24, 2);
        header.set(JAVA_LONG, 32, header.address() + CONTROL);
    }

    /** Opens the interface of that name. */
    public static PacketSocket open(String interfaceName) throws SystemCallException {
        int index = InterfaceControl.index(interfaceName);
        // without a protocol at first, or frames of other interfaces would arrive before the bind
        Descriptor descriptor = new Descriptor((int) Libc.checked("socket(AF_PACKET)", SocketCalls.socket(
                SocketCalls.AF_PACKET, SocketCalls.SOCK_RAW | SocketCalls.SOCK_NONBLOCK, 0)));
        try (Arena arena = Arena.ofConfined()) {
            int socket = descriptor.number();
            MemorySegment value = arena.allocate(24, 8);
            value.set(JAVA_INT, 0, 1);
            Libc.checked("setsockopt(PACKET_AUXDATA)",
                    SocketCalls.setOption(socket, SOL_PACKET, PACKET_AUXDATA, value.address(), 4));
            Libc.checked("setsockopt(PACKET_IGNORE_OUTGOING)",
                    SocketCalls.setOption(socket, SOL_PACKET, PACKET_IGNORE_OUTGOING, value.address(), 4));
            // more room for bursts, if we may
            value.set(JAVA_INT, 0, 4 << 20);
            SocketCalls.setOption(socket, SocketCalls.SOL_SOCKET, SO_RCVBUFFORCE, value.address(), 4);

            value.fill((byte) 0);
            value.set(JAVA_INT, 0, index);
            value.set(JAVA_SHORT, 4, (short) PROMISCUOUS);
            Libc.checked("setsockopt(PACKET_ADD_MEMBERSHIP) of " + interfaceName,
                    SocketCalls.setOption(socket, SOL_PACKET, PACKET_ADD_MEMBERSHIP, value.address(), 16));

            value.fill((byte) 0);
            value.set(JAVA_SHORT, 0, (short) SocketCalls.AF_PACKET);
            value.set(JAVA_SHORT, 2, ALL_PROTOCOLS);
            value.set(JAVA_INT, 4, index);
            Libc.checked("bind to " + interfaceName, SocketCalls.bind(socket, value.address(), 20));
            return new PacketSocket(descriptor);
        } catch (SystemCallException failed) {
            descriptor.close();
            throw failed;
        }
    }

    /** Its descriptor, to wait for, still owned by this. */
    public Descriptor descriptor() {
        return descriptor;
    }

    /**
     * Takes the next frame into raw memory.
     *
     * @param room at least 18 bytes; a frame that does not fit is cut
     * @return its length, or a negative error number: {@link Linux#WOULD_BLOCK} when there is none
     */
    public int receive(long address, int room) {
        if (room < ADDRESSES + TAG + 2) {
            return -EINVAL;
        }
        if (!descriptor.enter()) {
            return -EBADF;
        }
        try {
            header.set(JAVA_LONG, VECTOR, address);
            header.set(JAVA_LONG, VECTOR + 8, ADDRESSES);
            header.set(JAVA_LONG, VECTOR + 16, address + ADDRESSES);
            header.set(JAVA_LONG, VECTOR + 24, room - ADDRESSES - TAG);
            header.set(JAVA_LONG, 40, CONTROL_LENGTH);
            header.set(JAVA_INT, 48, 0);
            long answer;
            do {
                answer = SocketCalls.receive(descriptor.number(), header.address(), SocketCalls.MSG_DONTWAIT);
            } while (answer == -Libc.EINTR);
            return answer <= 0 ? (int) answer : (int) answer + tag(address, (int) answer);
        } finally {
            descriptor.leave();
            Reference.reachabilityFence(header);
        }
    }

    /** Puts the tag back in its place, and answers by how much the frame has grown. */
    private int tag(long address, int length) {
        checksumMissing = false;
        if (header.get(JAVA_LONG, 40) < AUXDATA_LENGTH || header.get(JAVA_INT, CONTROL + 8) != SOL_PACKET
                || header.get(JAVA_INT, CONTROL + 12) != PACKET_AUXDATA) {
            return 0;
        }
        int data = CONTROL + 16;
        int status = header.get(JAVA_INT, data);
        checksumMissing = (status & STATUS_CHECKSUM_NOT_READY) != 0;
        if ((status & STATUS_VLAN) == 0 || length < ADDRESSES) {
            return 0;
        }
        short protocol = (status & STATUS_VLAN_PROTOCOL) != 0 ? header.get(JAVA_SHORT, data + 18) : VLAN_PROTOCOL;
        short tag = header.get(JAVA_SHORT, data + 16);
        long at = address + ADDRESSES;
        MemorySegment.copy(Libc.ALL, at, Libc.ALL, at + TAG, length - ADDRESSES);
        Libc.ALL.set(JAVA_BYTE, at, (byte) (protocol >> 8));
        Libc.ALL.set(JAVA_BYTE, at + 1, (byte) protocol);
        Libc.ALL.set(JAVA_BYTE, at + 2, (byte) (tag >> 8));
        Libc.ALL.set(JAVA_BYTE, at + 3, (byte) tag);
        return TAG;
    }

    /**
     * Whether the last frame came from a sender of this machine who left the transport checksum to hardware: it holds
     * the sum over the pseudo-header only.
     */
    public boolean checksumMissing() {
        return checksumMissing;
    }

    /** Sends a frame. Answers its length or a negative error number. */
    public int send(long address, int length) {
        if (!descriptor.enter()) {
            return -EBADF;
        }
        try {
            return (int) Linux.write(descriptor.number(), address, length);
        } finally {
            descriptor.leave();
        }
    }

    @Override
    public void close() {
        descriptor.close();
    }
}
