package io.manafold.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A table of 4 KiB entries as the unit between functions and memory walks it: four levels of 512 entries, checked when
 * something is mapped and when it is unmapped, and with a fence that everybody has to pass before memory counts as taken
 * away. It lets nothing more through than {@link #NONE}, but it costs what mapping costs where there is such a unit.
 */
public final class IoPageTable implements PageMapping {
    private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle BELOW = MethodHandles.arrayElementVarHandle(Node[].class);
    private static final VarHandle FLUSHES;
    private static final int BITS = 9;
    private static final int LEVELS = 4;
    private static final int SHIFT = 12;
    private static final long PRESENT = 3;

    static {
        try {
            FLUSHES = MethodHandles.lookup().findVarHandle(IoPageTable.class, "flushes", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final Node root = new Node(LEVELS - 1);
    private final int grain;
    private long flushes;

    public IoPageTable() {
        this(RawMemory.PAGE);
    }

    /** @param grain what is mapped is rounded outwards to multiples of it: 4096, or a power of two above */
    public IoPageTable(int grain) {
        this.grain = grain;
    }

    /** @throws IllegalStateException if some of it is mapped already */
    @Override
    public void map(DmaPiece page) {
        long before = page.dma() & grain - 1;
        long end = page.dma() + page.bytes() + grain - 1 & -grain;
        for (long dma = page.dma() - before; dma < end; dma += RawMemory.PAGE) {
            long entry = page.pointer() + dma - page.dma() | PRESENT;
            if (!ENTRY.compareAndSet(leaf(dma).entries, index(dma, 0), 0L, entry)) {
                throw new IllegalStateException("The page at 0x" + Long.toHexString(dma) + " is mapped already.");
            }
        }
    }

    /** @throws IllegalStateException if some of it is not mapped, or is mapped elsewhere */
    @Override
    public void unmap(DmaPiece page) {
        long before = page.dma() & grain - 1;
        long end = page.dma() + page.bytes() + grain - 1 & -grain;
        for (long dma = page.dma() - before; dma < end; dma += RawMemory.PAGE) {
            long entry = page.pointer() + dma - page.dma() | PRESENT;
            if (!ENTRY.compareAndSet(leaf(dma).entries, index(dma, 0), entry, 0L)) {
                throw new IllegalStateException("The page at 0x" + Long.toHexString(dma) + " is not mapped there.");
            }
        }
        FLUSHES.getAndAdd(this, 1L);
    }

    /** Where an address leads to, 0 if it is not mapped. */
    public long pointer(long dma) {
        long entry = (long) ENTRY.getAcquire(leaf(dma).entries, index(dma, 0));
        return entry == 0 ? 0 : (entry & -RawMemory.PAGE) + (dma & RawMemory.PAGE - 1);
    }

    /** How often something has been taken away. */
    public long flushes() {
        return (long) FLUSHES.getVolatile(this);
    }

    private Node leaf(long dma) {
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
