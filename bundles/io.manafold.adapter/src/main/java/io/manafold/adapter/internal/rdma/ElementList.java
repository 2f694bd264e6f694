package io.manafold.adapter.internal.rdma;

import io.manafold.adapter.internal.queue.KeyedMemory;
import io.manafold.adapter.internal.queue.MemoryKeys;
import io.manafold.gdma.WorkRequest;
import io.manafold.memory.RawMemory;

/** The scatter-gather elements of a work request, as they were read from a copy of it. For one thread. */
final class ElementList {
    private final long[] addresses = new long[WorkRequest.MAX_SEND_PIECES + 1];
    private final int[] keys = new int[WorkRequest.MAX_SEND_PIECES + 1];
    private final int[] lengths = new int[WorkRequest.MAX_SEND_PIECES + 1];
    /** What the keys stand for, as {@link #check} has found; good until {@link #forget}. */
    private final KeyedMemory[] found = new KeyedMemory[WorkRequest.MAX_SEND_PIECES + 1];
    private final MemoryKeyCache first = new MemoryKeyCache();
    private int rightFound;
    private int count;
    private long total;
    /** The first that was refused last. */
    private int refused;

    /**
     * Reads elements.
     *
     * @param at the copy of a request
     * @param first where its elements begin
     * @return false if there are more than any request may have
     */
    boolean read(long at, int first, int elements) {
        count = 0;
        total = 0;
        rightFound = 0;
        if (elements > addresses.length) {
            return false;
        }
        for (int i = 0; i < elements; i++) {
            long element = at + first + (long) i * WorkRequest.PIECE;
            int length = RawMemory.get32(element + WorkRequest.PIECE_LENGTH);
            // an element without bytes is none: its address and key mean nothing
            if (length != 0) {
                addresses[count] = RawMemory.get64(element + WorkRequest.PIECE_ADDRESS);
                keys[count] = RawMemory.get32(element + WorkRequest.PIECE_KEY);
                lengths[count++] = length;
                total += length & 0xffff_ffffL;
            }
        }
        return true;
    }

    /** Bytes of all elements. */
    long total() {
        return total;
    }

    /**
     * Whether all keys allow what is going to be done; what is wrong with the first that does not, else {@code null}.
     */
    AccessFault check(MemoryKeys memoryKeys, int pd, int right) {
        for (int i = 0; i < count; i++) {
            KeyedMemory memory = i == 0 ? first.find(memoryKeys, pd, keys[0], right)
                    : memoryKeys.find(keys[i], pd, right);
            AccessFault fault = MemoryAccess.check(memory, memoryKeys, pd, keys[i], addresses[i],
                    lengths[i] & 0xffff_ffffL);
            if (fault != null) {
                refused = i;
                return fault;
            }
            found[i] = memory;
        }
        rightFound = right;
        return null;
    }

    /** A turn begins: keys may have been taken away since the last one. */
    void forget() {
        rightFound = 0;
    }

    /** The element that was refused last, for people to look at. */
    String refused() {
        return describe(lengths[refused], addresses[refused], keys[refused]);
    }

    static String describe(int length, long address, int key) {
        return "%d bytes at 0x%x with key 0x%x".formatted(length & 0xffff_ffffL, address, key);
    }

    /** Adds a part of the memory to what is copied from or to; what is wrong with it, or {@code null}. */
    AccessFault add(MemoryAccess access, MemoryKeys memoryKeys, int pd, long offset, int length, int right) {
        long skip = offset;
        int open = length;
        for (int i = 0; i < count && open > 0; i++) {
            long its = lengths[i] & 0xffff_ffffL;
            if (skip >= its) {
                skip -= its;
                continue;
            }
            int part = (int) Math.min(open, its - skip);
            AccessFault fault = right == rightFound ? access.add(found[i], addresses[i] + skip, part, right)
                    : i == 0 ? access.add(first, memoryKeys, pd, keys[0], addresses[0] + skip, part, right)
                    : access.add(memoryKeys, pd, keys[i], addresses[i] + skip, part, right);
            if (fault != null) {
                refused = i;
                return fault;
            }
            open -= part;
            skip = 0;
        }
        return open == 0 ? null : AccessFault.RANGE;
    }
}
