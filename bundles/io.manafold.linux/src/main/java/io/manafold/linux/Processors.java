package io.manafold.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/** Which processors the calling thread may run on. Not for virtual threads. */
public final class Processors {
    private static final int SET = 128;
    private static final int EINVAL = 22;

    private static final LibraryCall SET_AFFINITY = LibraryCall.returningInt("sched_setaffinity");
    private static final LibraryCall GET_AFFINITY = LibraryCall.returningInt("sched_getaffinity");

    private Processors() {
    }

    /** The processors that the calling thread may run on, counted from 0. */
    public static BitSet allowed() throws SystemCallException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(SET, 8);
            Libc.checked("sched_getaffinity", GET_AFFINITY.call(0, SET, set.address()));
            return BitSet.valueOf(set.toArray(JAVA_BYTE));
        }
    }

    /** Binds the calling thread to processors. */
    public static void allow(BitSet processors) throws SystemCallException {
        byte[] bits = processors.toByteArray();
        if (bits.length > SET) {
            throw new SystemCallException("sched_setaffinity: processors are counted up to " + (SET * 8 - 1), EINVAL);
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment set = arena.allocate(SET, 8);
            MemorySegment.copy(bits, 0, set, JAVA_BYTE, 0, bits.length);
            Libc.checked("sched_setaffinity", SET_AFFINITY.call(0, SET, set.address()));
        }
    }
}
