package io.manafold.roce;

import io.manafold.memory.RawMemory;
import java.lang.foreign.Arena;
import java.util.HexFormat;

/** Memory for tests, and bytes as they are written down. */
final class Native {
    private Native() {
    }

    static long allocate(long bytes) {
        return Arena.global().allocate(bytes, 64).address();
    }

    /** From hexadecimal digits with spaces anywhere. */
    static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    }

    static byte[] at(long address, int length) {
        byte[] bytes = new byte[length];
        RawMemory.copy(address, bytes, 0, length);
        return bytes;
    }
}
