package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Where a socket of this machine lies in the file system, as the kernel wants it. */
final class UnixAddress {
    static final int LENGTH = 110;

    private static final int LONGEST_PATH = 107;
    private static final int ENAMETOOLONG = 36;

    private UnixAddress() {
    }

    static MemorySegment of(Path path, Arena arena) throws SystemCallException {
        byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
        if (name.length > LONGEST_PATH) {
            throw new SystemCallException("the path \"" + path + "\" has " + name.length
                    + " bytes and that of a socket at most " + LONGEST_PATH, ENAMETOOLONG);
        }
        MemorySegment address = arena.allocate(LENGTH, 8);
        address.set(JAVA_SHORT, 0, (short) SocketCalls.AF_UNIX);
        MemorySegment.copy(name, 0, address, JAVA_BYTE, 2, name.length);
        return address;
    }
}
