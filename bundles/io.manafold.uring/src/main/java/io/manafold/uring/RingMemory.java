package io.manafold.uring;

import io.manafold.linux.Linux;
import io.manafold.linux.SystemCallException;
import io.manafold.memory.RawMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Where the parts of a ring lie, made once and judged once: whatever the kernel said of offsets and sizes, all of it
 * lies in what is mapped here.
 */
final class RingMemory {
    static final int CQE = 16;

    private static final int PARAMETERS = 120;
    private static final long OFFSET_REQUESTS = 0x1000_0000L;
    private static final int FEATURE_SINGLE_MAP = 1;

    final int requests;
    final int completions;
    final int flags;
    final int features;
    final long headOfRequests;
    final long tailOfRequests;
    final long requestFlags;
    final long headOfCompletions;
    final long tailOfCompletions;
    final long overflow;
    final long completionBase;
    final long requestBase;
    private final long rings;
    private final long ringBytes;
    private final long requestBytes;

    /** What is asked of the kernel, and what it answered. */
    static final class Parameters {
        final Arena arena;
        private final MemorySegment words;

        Parameters(Arena arena, RingSetup setup, int flags) {
            this.arena = arena;
            words = arena.allocate(PARAMETERS, 8);
            put(4, setup.completions());
            put(8, flags);
            put(16, setup.pollingMillis());
        }

        long address() {
            return words.address();
        }

        int get(int offset) {
            return words.get(java.lang.foreign.ValueLayout.JAVA_INT, offset);
        }

        private void put(int offset, int value) {
            words.set(java.lang.foreign.ValueLayout.JAVA_INT, offset, value);
        }
    }

    RingMemory(int descriptor, Parameters answered, boolean numbered, int completionBytes) throws SystemCallException {
        requests = powerOfTwo(answered.get(0), RingSetup.MOST_REQUESTS);
        completions = powerOfTwo(answered.get(4), 2 * RingSetup.MOST_REQUESTS);
        flags = answered.get(8);
        features = answered.get(20);
        if ((features & FEATURE_SINGLE_MAP) == 0) {
            throw new SystemCallException("io_uring of a kernel before 5.4", Limits.ENOSYS);
        }
        long requestNumbers = numbered ? within(answered.get(64)) : 0;
        long completionOffset = within(answered.get(100));
        ringBytes = Math.max(requestNumbers + 4L * requests, completionOffset + (long) completionBytes * completions);
        requestBytes = (long) Request.BYTES * requests;
        rings = Linux.map(descriptor, 0, ringBytes, true);
        long second;
        try {
            second = Linux.map(descriptor, OFFSET_REQUESTS, requestBytes, true);
        } catch (SystemCallException refused) {
            Linux.unmap(rings, ringBytes);
            throw refused;
        }
        requestBase = second;
        headOfRequests = word(answered.get(40));
        tailOfRequests = word(answered.get(44));
        requestFlags = word(answered.get(56));
        headOfCompletions = word(answered.get(80));
        tailOfCompletions = word(answered.get(84));
        overflow = word(answered.get(96));
        completionBase = rings + completionOffset;
        if (numbered) {
            for (int i = 0; i < requests; i++) {
                RawMemory.put32(rings + requestNumbers + 4L * i, i);
            }
        }
    }

    private static int powerOfTwo(int entries, int most) throws SystemCallException {
        if (entries < 1 || entries > most || Integer.bitCount(entries) != 1) {
            throw new SystemCallException("size of a ring: " + entries, Limits.EINVAL);
        }
        return entries;
    }

    private static long within(int offset) throws SystemCallException {
        if (offset < 0 || offset > 1 << 20) {
            throw new SystemCallException("offset in a ring: " + offset, Limits.EINVAL);
        }
        return offset;
    }

    private long word(int offset) throws SystemCallException {
        if ((offset & 3) != 0 || offset < 0 || offset + 4L > ringBytes) {
            close();
            throw new SystemCallException("offset in a ring: " + offset, Limits.EINVAL);
        }
        return rings + offset;
    }

    void close() throws SystemCallException {
        Linux.unmap(rings, ringBytes);
        Linux.unmap(requestBase, requestBytes);
    }
}
