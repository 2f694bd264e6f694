package io.manafold.memory;

import io.manafold.api.device.DmaSpace;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongFunction;

/**
 * The memory of a function: all that drivers lend it, each as a {@link MemoryBorrower} of its own, at addresses that
 * are chosen here. Any thread may call.
 */
public final class FunctionMemory implements AutoCloseable {
    /** Below lie addresses that machines use for other things. */
    private static final long FIRST = 0x1_0000_0000L;
    /** What a table walk of any depth reaches. */
    private static final long END = 1L << 47;
    /** So that regions can be described by large pages. */
    private static final long ALIGNMENT = 2 << 20;

    private final String function;
    private final DmaSpace space;
    private final List<MemoryBorrower> borrowers = new CopyOnWriteArrayList<>();
    /** Ranges in use: from, to. */
    private final TreeMap<Long, Long> taken = new TreeMap<>();
    private boolean closed;

    /** @param function its name, for people */
    public FunctionMemory(String function, DmaSpace space) {
        this.function = function;
        this.space = space;
    }

    /**
     * A list of its own for a driver, whose memory goes with it.
     *
     * @param name for people: {@code ethernet}, {@code mana.eth.0}
     */
    public MemoryBorrower borrower(String name) {
        MemoryBorrower borrower = new MemoryBorrower(this, name);
        synchronized (this) {
            if (closed) {
                throw left();
            }
            // those whose last packet has come home since they ended
            borrowers.removeIf(MemoryBorrower::isOver);
            borrowers.add(borrower);
        }
        return borrower;
    }

    String function() {
        return function;
    }

    DmaSpace space() {
        return space;
    }

    Refusal left() {
        return new Refusal(Errno.ENODEV, function + " has been left by its driver; nothing is lent to it any more.");
    }

    /**
     * Maps so many bytes at the first addresses that are free. A driver that the core has given up may have some of the
     * function until it has left at last: those are passed over.
     */
    <T> T map(long bytes, LongFunction<T> mapping) {
        List<Long> others = new ArrayList<>();
        try {
            while (true) {
                long address = take(bytes);
                try {
                    return mapping.apply(address);
                } catch (RuntimeException refused) {
                    others.add(address);
                    if (!(refused instanceof Refusal refusal) || refusal.errno() != Errno.EEXIST) {
                        throw refused;
                    }
                }
            }
        } finally {
            others.forEach(this::giveBack);
        }
    }

    /** The first addresses that are free for so many bytes. */
    private synchronized long take(long bytes) {
        if (closed) {
            throw left();
        }
        long size = bytes + ALIGNMENT - 1 & -ALIGNMENT;
        long at = FIRST;
        for (Map.Entry<Long, Long> range : taken.entrySet()) {
            if (range.getKey() - at >= size) {
                break;
            }
            at = range.getValue();
        }
        if (size <= 0 || size > END - at) {
            throw new Refusal(Errno.ENOSPC, function + " has no addresses left for " + bytes + " bytes; end what is "
                    + "lent to it and not needed.");
        }
        taken.put(at, at + size);
        return at;
    }

    synchronized void giveBack(long address) {
        taken.remove(address);
    }

    /** Pages of 4 KiB in use, of all borrowers, and of those that have ended and whose packets are still out. */
    public int pagesInUse() {
        return borrowers.stream().mapToInt(MemoryBorrower::pagesInUse).sum();
    }

    /** Takes all from the function; memory goes with the last piece that is out. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        borrowers.forEach(MemoryBorrower::close);
    }
}
