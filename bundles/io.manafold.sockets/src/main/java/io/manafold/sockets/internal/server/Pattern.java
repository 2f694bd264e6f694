package io.manafold.sockets.internal.server;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The bytes 0 to 255 again and again, without end. */
final class Pattern implements Sending.Bytes {
    @Override
    public int fill(long position, MemorySegment memory) {
        // parts are whole rounds, so that memory that was filled before stays right
        if (memory.get(ValueLayout.JAVA_BYTE, 1) != (byte) 1) {
            for (long i = 0; i < memory.byteSize(); i++) {
                memory.set(ValueLayout.JAVA_BYTE, i, (byte) i);
            }
        }
        return (int) memory.byteSize();
    }
}
