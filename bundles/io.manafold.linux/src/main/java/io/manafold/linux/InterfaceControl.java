package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** What the kernel lets be asked and set of a network interface by its name. Setting needs {@code CAP_NET_ADMIN}. */
public final class InterfaceControl {
    /** The longest name of an interface in bytes. */
    public static final int LONGEST_NAME = 15;

    static final int REQUEST = 40;
    static final int VALUE = 16;

    private static final int EINVAL = 22;
    private static final int IFF_UP = 1;
    private static final long SIOCGIFFLAGS = 0x8913;
    private static final long SIOCSIFFLAGS = 0x8914;
    private static final long SIOCGIFMTU = 0x8921;
    private static final long SIOCSIFMTU = 0x8922;
    private static final long SIOCGIFHWADDR = 0x8927;
    private static final long SIOCSIFHWADDR = 0x8924;
    private static final short ETHERNET = 1;
    private static final long SIOCGIFINDEX = 0x8933;
    private static final long SIOCETHTOOL = 0x8946;
    private static final int ETHTOOL_GDRVINFO = 3;
    private static final int ETHTOOL_GSG = 0x18;
    /** What ETHTOOL_GDRVINFO answers: a word, the driver's name, and more. */
    private static final int DRIVER_INFO = 196;

    private static final LibraryCall IOCTL = LibraryCall.variadicAfterTwo("ioctl");

    private InterfaceControl() {
    }

    /** The interface's number. */
    public static int index(String name) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            return ask("SIOCGIFINDEX", SIOCGIFINDEX, request(name, arena)).get(JAVA_INT, VALUE);
        }
    }

    /** Its hardware address, six bytes. */
    public static byte[] hardwareAddress(String name) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = ask("SIOCGIFHWADDR", SIOCGIFHWADDR, request(name, arena));
            return request.asSlice(VALUE + 2, 6).toArray(JAVA_BYTE);
        }
    }

    /** @param address six bytes */
    public static void hardwareAddress(String name, byte[] address) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = request(name, arena);
            request.set(JAVA_SHORT, VALUE, ETHERNET);
            MemorySegment.copy(address, 0, request, JAVA_BYTE, VALUE + 2, 6);
            ask("SIOCSIFHWADDR", SIOCSIFHWADDR, request);
        }
    }

    /** The longest packet, without the Ethernet header. */
    public static int mtu(String name) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            return ask("SIOCGIFMTU", SIOCGIFMTU, request(name, arena)).get(JAVA_INT, VALUE);
        }
    }

    public static void mtu(String name, int mtu) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = request(name, arena);
            request.set(JAVA_INT, VALUE, mtu);
            ask("SIOCSIFMTU", SIOCSIFMTU, request);
        }
    }

    /** Whether an administrator has set it up. */
    public static boolean isUp(String name) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = ask("SIOCGIFFLAGS", SIOCGIFFLAGS, request(name, arena));
            return (request.get(JAVA_SHORT, VALUE) & IFF_UP) != 0;
        }
    }

    /** Sets it up or down. */
    public static void up(String name, boolean up) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment request = ask("SIOCGIFFLAGS", SIOCGIFFLAGS, request(name, arena));
            int flags = request.get(JAVA_SHORT, VALUE);
            request.set(JAVA_SHORT, VALUE, (short) (up ? flags | IFF_UP : flags & ~IFF_UP));
            ask("SIOCSIFFLAGS", SIOCSIFFLAGS, request);
        }
    }

    /** The name of its driver, as {@code ethtool -i} shows it; one without says {@code EOPNOTSUPP}. */
    public static String driver(String name) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            return ethtool("ETHTOOL_GDRVINFO", ETHTOOL_GDRVINFO, name, DRIVER_INFO, arena).getString(4);
        }
    }

    /** Whether it sends a packet whose pieces lie apart, as {@code ethtool -k} shows it: scatter-gather. */
    public static boolean scatterGather(String name) throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            return ethtool("ETHTOOL_GSG", ETHTOOL_GSG, name, 8, arena).get(JAVA_INT, 4) != 0;
        }
    }

    private static MemorySegment ethtool(String call, int command, String name, int bytes, Arena arena)
            throws SystemCallException {
        MemorySegment asked = arena.allocate(bytes, 8);
        asked.set(JAVA_INT, 0, command);
        MemorySegment request = request(name, arena);
        request.set(JAVA_LONG, VALUE, asked.address());
        ask(call, SIOCETHTOOL, request);
        return asked;
    }

    /** A request about an interface, empty but for the name. */
    static MemorySegment request(String name, Arena arena) throws SystemCallException {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > LONGEST_NAME || name.indexOf(0) >= 0) {
            throw new SystemCallException("\"" + name + "\" is no name of a network interface, which has 1 to "
                    + LONGEST_NAME + " bytes", EINVAL);
        }
        MemorySegment request = arena.allocate(REQUEST, 8);
        MemorySegment.copy(bytes, 0, request, JAVA_BYTE, 0, bytes.length);
        return request;
    }

    private static MemorySegment ask(String call, long code, MemorySegment request) throws SystemCallException {
        try (Descriptor socket = new Descriptor((int) Libc.checked("socket",
                SocketCalls.socket(SocketCalls.AF_INET, SocketCalls.SOCK_DGRAM, 0)))) {
            Libc.checked(call + " of " + request.getString(0), ioctl(socket.number(), code, request.address()));
            return request;
        }
    }

    static long ioctl(int descriptor, long code, long argument) {
        return IOCTL.call(descriptor, code, argument);
    }
}
