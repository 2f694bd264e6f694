package io.manafold.memory;

import io.manafold.api.device.PageTable;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A table of 4 KiB entries as the unit between functions and memory walks it: four levels of 512 entries, checked when
 * something is entered and when it is removed. A look-up walks it, allocates nothing and takes no lock.
 */
public final class IoPageTable implements PageTable {
    private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle BELOW = MethodHandles.arrayElementVarHandle(Node[].class);
    private static final int BITS = 9;
    private static final int LEVELS = 4;
    private static final int SHIFT = 12;
    private static final int PRESENT = 3;
    /** No engine looks up more in one piece. */
    private static final long FURTHEST = 1 << 17;

    private final Node root = new Node(LEVELS - 1);
    private final long first;
    private final long bytes;
    private final long raw;

    /**
     * A table without entries.
     *
     * @param first where the function finds the range
     * @param raw where the range is mapped here
     */
    public IoPageTable(long first, long bytes, long raw) {
        this.first = first;
        this.bytes = bytes;
        this.raw = raw;
    }

    @Override
    public void enter(long address, long length) {
        check(address, length);
        for (long at = address; at != address + length; at += RawMemory.PAGE) {
            if (!ENTRY.compareAndSet(made(at).entries, index(at, 0), 0L, entry(at))) {
                forget(address, at - address);
                throw new Refusal(Errno.EEXIST, "The page at 0x" + Long.toHexString(at) + " is mapped already.");
            }
        }
    }

    @Override
    public void remove(long address, long length) {
        check(address, length);
        if (forget(address, length) < length / RawMemory.PAGE) {
            throw new Refusal(Errno.ENOENT, "Of the pages from 0x" + Long.toHexString(address) + " on, " + length
                    + " bytes, not all were mapped.");
        }
    }

    private long forget(long address, long length) {
        long gone = 0;
        for (long at = address; at != address + length; at += RawMemory.PAGE) {
            Node leaf = leaf(at);
            if (leaf != null && ENTRY.compareAndSet(leaf.entries, index(at, 0), entry(at), 0L)) {
                gone++;
            }
        }
        return gone;
    }

    private void check(long address, long length) {
        if (length <= 0 || ((address | length) & RawMemory.PAGE - 1) != 0
                || Long.compareUnsigned(address - first, bytes) >= 0 || length > bytes - (address - first)) {
            throw new Refusal(Errno.EINVAL, "The range at 0x" + Long.toHexString(address) + " of " + length
                    + " bytes is not whole pages of the range at 0x" + Long.toHexString(first) + ".");
        }
    }

    private long entry(long address) {
        return raw + (address - first) | PRESENT;
    }

    /** Where an address leads to, 0 if its page is not entered. */
    public long pointer(long dma) {
        Node leaf = leaf(dma);
        long entry = leaf == null ? 0 : (long) ENTRY.getAcquire(leaf.entries, index(dma, 0));
        return entry == 0 ? 0 : (entry & -RawMemory.PAGE) + (dma & RawMemory.PAGE - 1);
    }

    /** Whether all pages of a piece are entered. */
    boolean reaches(long dma, long length) {
        long last = dma + length - 1;
        for (long at = dma & -RawMemory.PAGE; Long.compareUnsigned(at, last) <= 0; at += RawMemory.PAGE) {
            if (pointer(at) == 0) {
                return false;
            }
        }
        return true;
    }

    /** How many bytes from an address on are reached in one piece, as far as an engine looks up at once. */
    long left(long dma) {
        long at = dma & -RawMemory.PAGE;
        long end = Math.min(first + bytes - at, FURTHEST) + at;
        while (at != end && pointer(at) != 0) {
            at += RawMemory.PAGE;
        }
        return Math.max(0, at - dma);
    }

    private Node leaf(long dma) {
        Node node = root;
        for (int level = LEVELS - 1; level > 0 && node != null; level--) {
            node = (Node) BELOW.getAcquire(node.below, index(dma, level));
        }
        return node;
    }

    private Node made(long dma) {
        Node node = root;
        for (int level = LEVELS - 1; level > 0; level--) {
            int index = index(dma, level);
            Node below = (Node) BELOW.getAcquire(node.below, index);
            if (below == null) {
                Node made = new Node(level - 1);
                Node other = (Node) BELOW.compareAndExchange(node.below, index, null, made);
                below = other == null ? made : other;
            }
            node = below;
        }
        return node;
    }

    private static int index(long dma, int level) {
        return (int) (dma >>> SHIFT + level * BITS) & (1 << BITS) - 1;
    }

    private static final class Node {
        final Node[] below;
        final long[] entries;

        Node(int level) {
            below = level > 0 ? new Node[1 << BITS] : null;
            entries = level > 0 ? null : new long[1 << BITS];
        }
    }
}
