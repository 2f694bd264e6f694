package io.manafold.ethernet.internal.queue;

import io.manafold.api.device.PciFunction;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.DmaArena;
import io.manafold.memory.PagePool;

/** A driver's memory at one function: what it reaches all the time, and pages that it reaches one by one. */
public final class FunctionMemory {
    private static final long BASE = 0x1_0000_0000L;
    private static final long PAGED_BASE = 0x2_0000_0000L;
    /** Used as it is needed. */
    private static final int BYTES = 1 << 30;

    private final PciFunction function;
    private final DmaArena whole;
    /** {@code null} until somebody wants it. */
    private volatile DmaArena paged;
    private boolean closed;

    public FunctionMemory(PciFunction function) {
        this.function = function;
        whole = new DmaArena(function.dma(), "manafold-" + function.id(), BASE, BYTES);
    }

    /** Reached all the time. */
    public DmaArena whole() {
        return whole;
    }

    /** Where receive pages come from that are mapped in that way. */
    synchronized DmaArena pages(ReceiveMapping mapping) {
        if (mapping == ReceiveMapping.ARENA) {
            return whole;
        }
        if (closed) {
            throw new Refusal(Errno.ENODEV, function.id() + " is being left by its driver.");
        }
        if (paged == null) {
            paged = DmaArena.paged(function.dma(), "manafold-pages-" + function.id(), PAGED_BASE, BYTES);
        }
        return paged;
    }

    /** Whether the function reaches packets of a pool after they were received, so that they can be sent where they are. */
    public boolean reaches(PagePool pool) {
        return pool.arena() == whole || pool.arena() == paged && !pool.mapping().isRepeated();
    }

    /** Pages of 4 KiB in use. */
    public int pagesInUse() {
        DmaArena more = paged;
        return whole.pagesInUse() + (more == null ? 0 : more.pagesInUse());
    }

    /** Takes all from the function; the memory goes with the last piece that somebody has. */
    public void close() {
        synchronized (this) {
            closed = true;
        }
        whole.close();
        if (paged != null) {
            paged.close();
        }
    }
}
