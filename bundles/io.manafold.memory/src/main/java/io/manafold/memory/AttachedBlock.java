package io.manafold.memory;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.linux.Descriptor;
import io.manafold.linux.Linux;
import io.manafold.linux.SystemCallException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** A block of another process, mapped here. What is in it may change at any time; it goes when both have let go. */
public final class AttachedBlock implements MemoryBlock {
    private final String name;
    private final Descriptor file;
    private final long address;
    private final long size;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Maps it.
     *
     * @param file is this block's from now on, also if it is refused
     * @param bytes how much is needed of it
     * @throws Refusal {@code EINVAL} for a file that can get shorter, or is too short; what the kernel says
     */
    public AttachedBlock(String name, Descriptor file, long bytes) {
        this.name = name;
        this.file = file;
        size = bytes + RawMemory.PAGE - 1 & -RawMemory.PAGE;
        boolean mapped = false;
        try {
            if (!Linux.isSealedAgainstShrinking(file.number()) || Linux.length(file.number()) < size) {
                throw new Refusal(Errno.EINVAL, "The memory " + name + " of another process is not taken: it is not of "
                        + size + " bytes that stay.");
            }
            address = Linux.map(file.number(), 0, size, true);
            mapped = true;
        } catch (SystemCallException failed) {
            throw Kernel.refusal("The memory " + name + " of another process is not mapped", failed);
        } finally {
            if (!mapped) {
                file.close();
            }
        }
        segment = RawMemory.segment(address, size, arena);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public int descriptor() {
        return file.number();
    }

    /** Refused: it is not known to the functions of this process. */
    @Override
    public Hold hold(String who) {
        throw new Refusal(Errno.EOPNOTSUPP, "The memory block " + name
                + " is another process's, and not to be lent from here.");
    }

    @Override
    public SortedMap<String, Integer> holders() {
        return closed.get() ? Collections.emptySortedMap() : new TreeMap<>(Map.of("maker", 1));
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            arena.close();
            file.close();
            Kernel.retire(new long[] {address}, new long[] {size});
        }
    }
}
