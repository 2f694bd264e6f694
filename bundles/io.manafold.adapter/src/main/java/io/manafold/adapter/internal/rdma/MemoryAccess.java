package io.manafold.adapter.internal.rdma;

import io.manafold.adapter.internal.queue.KeyedMemory;
import io.manafold.adapter.internal.queue.MemoryKeys;
import io.manafold.adapter.internal.queue.Pieces;
import io.manafold.memory.DmaCursor;
import io.manafold.memory.DmaTable;
import io.manafold.memory.RawMemory;

/**
 * Finds the memory that keys stand for, and copies from and to it. For one thread at a time, inside a reader's cycle.
 */
final class MemoryAccess {
    /** As many pieces as a payload may have to be sent from where it lies. */
    static final int FEW = 4;

    private final DmaCursor cursor;
    private final Pieces pieces = new Pieces();
    /** Where the next byte of {@link #put} goes. */
    private int piece;
    private int filled;

    MemoryAccess(DmaTable table) {
        cursor = new DmaCursor(table);
    }

    /**
     * Whether a key allows something with all of some memory, which may lie anywhere under it.
     *
     * @param found what the key stands for, {@code null} if it allows nothing of it
     */
    static AccessFault check(KeyedMemory found, MemoryKeys keys, int pd, int key, long address, long length) {
        if (found == null) {
            return switch (keys.reason(key, pd)) {
                case MemoryKeys.NO_KEY -> AccessFault.NO_KEY;
                case MemoryKeys.OLD_KEY -> AccessFault.OLD_KEY;
                case MemoryKeys.OTHER_DOMAIN -> AccessFault.OTHER_DOMAIN;
                default -> AccessFault.NO_RIGHT;
            };
        }
        if (length < 0 || length > Integer.MAX_VALUE) {
            return AccessFault.RANGE;
        }
        return found.isWhole() || found.holds(address, (int) length) ? null : AccessFault.RANGE;
    }

    /** Begins anew. */
    void clear() {
        pieces.clear();
        piece = 0;
        filled = 0;
    }

    /** Adds memory to that which is copied from or to; what is wrong with it, or {@code null}. */
    AccessFault add(MemoryKeys keys, int pd, int key, long address, int length, int right) {
        return add(keys.find(key, pd, right), keys, pd, key, address, length, right);
    }

    /** The same by what the key stood for when it was looked for last. */
    AccessFault add(MemoryKeyCache last, MemoryKeys keys, int pd, int key, long address, int length, int right) {
        return add(last.find(keys, pd, key, right), keys, pd, key, address, length, right);
    }

    private AccessFault add(KeyedMemory found, MemoryKeys keys, int pd, int key, long address, int length, int right) {
        if (found == null || !found.isWhole() && !found.holds(address, length)) {
            return check(found, keys, pd, key, address, length);
        }
        return add(found, address, length, right);
    }

    /** Adds memory of a region that was looked for in this turn and holds it. */
    AccessFault add(KeyedMemory found, long address, int length, int right) {
        boolean write = (right & (MemoryKeys.LOCAL_WRITE | MemoryKeys.REMOTE_WRITE)) != 0;
        return pieces.add(cursor, found.isWhole() ? null : found, address, length, write) ? null
                : AccessFault.UNREACHABLE;
    }

    /** Whether the memory need not be copied before it is computed over: it cannot vanish, and lies in a few pieces. */
    boolean isSteady() {
        return pieces.isSealed() && pieces.count <= FEW;
    }

    Pieces pieces() {
        return pieces;
    }

    /** Copies all of the memory; there must be room. */
    void copyTo(long to) {
        long at = to;
        for (int i = 0; i < pieces.count; i++) {
            RawMemory.copy(pieces.address[i], at, pieces.length[i]);
            at += pieces.length[i];
        }
    }

    /** Copies bytes to where those before have ended; there must be room. */
    void put(long from, int length) {
        int done = 0;
        while (done < length) {
            int part = Math.min(length - done, pieces.length[piece] - filled);
            RawMemory.copy(from + done, pieces.address[piece] + filled, part);
            done += part;
            filled += part;
            if (filled == pieces.length[piece]) {
                piece++;
                filled = 0;
            }
        }
    }

    /** Whether the kernel has something behind all of it at this moment. */
    boolean isThere(boolean write) {
        return pieces.reachable(write);
    }
}
