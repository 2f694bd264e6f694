package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A network interface of the kernel whose other end is here: what the kernel sends is read, what is written the kernel
 * receives. Whole Ethernet frames, one a call, with all checksums in place. Reading and writing never wait and never
 * allocate. Making one needs {@code CAP_NET_ADMIN}, or an interface that was made for this user.
 */
public final class Tap implements AutoCloseable {
    private static final int READ_WRITE = 2;
    private static final int NONBLOCK = 0x800;
    private static final int CLOEXEC = 0x80000;
    private static final long TUNSETIFF = 0x400454caL;
    private static final long TUNSETOFFLOAD = 0x400454d0L;
    private static final int IFF_TAP = 0x0002;
    private static final int IFF_NO_PI = 0x1000;
    private static final int EBADF = 9;

    private static final LibraryCall OPEN = LibraryCall.returningInt("open");

    private final Descriptor descriptor;
    private final String name;

    private Tap(Descriptor descriptor, String name) {
        this.descriptor = descriptor;
        this.name = name;
    }

    /** Makes an interface or takes one that is there. A name such as {@code tap%d} lets the kernel choose a number. */
    public static Tap open(String name) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = InterfaceControl.request(name, arena);
            request.set(JAVA_SHORT, InterfaceControl.VALUE, (short) (IFF_TAP | IFF_NO_PI));
            Descriptor descriptor = new Descriptor(device(arena));
            try {
                Libc.checked("TUNSETIFF of " + name,
                        InterfaceControl.ioctl(descriptor.number(), TUNSETIFF, request.address()));
                Libc.checked("TUNSETOFFLOAD of " + name,
                        InterfaceControl.ioctl(descriptor.number(), TUNSETOFFLOAD, 0));
            } catch (SystemCallException failed) {
                descriptor.close();
                throw failed;
            }
            return new Tap(descriptor, request.getString(0));
        }
    }

    private static int device(Arena arena) throws SystemCallException {
        return (int) Libc.checked("open /dev/net/tun",
                OPEN.call(arena.allocateFrom("/dev/net/tun").address(), READ_WRITE | NONBLOCK | CLOEXEC));
    }

    /** The interface's name. */
    public String name() {
        return name;
    }

    /** Its descriptor, to wait for, still owned by this. */
    public Descriptor descriptor() {
        return descriptor;
    }

    /**
     * Takes the next frame into raw memory; what does not fit is lost.
     *
     * @return its length, or a negative error number: {@link Linux#WOULD_BLOCK} when there is none
     */
    public int read(long address, int room) {
        if (!descriptor.enter()) {
            return -EBADF;
        }
        try {
            return (int) Linux.read(descriptor.number(), address, room);
        } finally {
            descriptor.leave();
        }
    }

    /** Gives a frame to the kernel. Answers its length or a negative error number. */
    public int write(long address, int length) {
        if (!descriptor.enter()) {
            return -EBADF;
        }
        try {
            return (int) Linux.write(descriptor.number(), address, length);
        } finally {
            descriptor.leave();
        }
    }

    /** The interface goes, unless it was made to stay. */
    @Override
    public void close() {
        descriptor.close();
    }
}
