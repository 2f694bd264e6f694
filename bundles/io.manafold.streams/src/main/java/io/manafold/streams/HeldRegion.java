package io.manafold.streams;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.sockets.Region;
import io.manafold.api.sockets.RegionState;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;

/** A region, which holds its block until it is closed and the last transfer of it has come back. */
public final class HeldRegion implements Region {
    private static final long CLOSED = Long.MIN_VALUE;
    /** One of those who keep it for the kernel, apart from transfers: there is one for each ring that registered it. */
    private static final long PIN = 1L << 31;
    private static final VarHandle USES;

    static {
        try {
            USES = MethodHandles.lookup().findVarHandle(HeldRegion.class, "uses", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final String who;
    private final MemoryBlock block;
    private final MemoryBlock.Hold hold;
    private final long offset;
    private final long length;
    private final int rights;
    private final int key;
    private final RegionTable table;
    private final long address;
    private final AtomicBoolean released = new AtomicBoolean();
    /** Transfers, and the sign when it is closed. */
    private long uses;

    HeldRegion(String who, MemoryBlock block, MemoryBlock.Hold hold, long offset, long length, int rights, int key,
            RegionTable table) {
        this.who = who;
        this.block = block;
        this.hold = hold;
        this.offset = offset;
        this.length = length;
        this.rights = rights;
        this.key = key;
        this.table = table;
        address = block.segment().address() + offset;
    }

    /** Where it begins in this process. */
    public long address() {
        return address;
    }

    @Override
    public MemoryBlock block() {
        return block;
    }

    @Override
    public long offset() {
        return offset;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public int rights() {
        return rights;
    }

    @Override
    public int key() {
        return key;
    }

    @Override
    public int inFlight() {
        return (int) ((long) USES.getVolatile(this) & PIN - 1);
    }

    public boolean isClosed() {
        return (long) USES.getVolatile(this) < 0;
    }

    /** One transfer more; not of one that is closed. */
    public boolean use() {
        if ((long) USES.getAndAdd(this, 1L) < 0) {
            giveBack();
            return false;
        }
        return true;
    }

    /** A transfer has come back. */
    public void giveBack() {
        long left = (long) USES.getAndAdd(this, -1L) - 1;
        if (left == CLOSED) {
            letGo();
        } else if (left < 0 && (left & PIN - 1) == 0) {
            table.idle(this);
        }
    }

    /**
     * Its memory is known to the kernel, beyond transfers: the block stays until {@link #unpin}. Not of one that is
     * closed.
     */
    public boolean pin() {
        if ((long) USES.getAndAdd(this, PIN) < 0) {
            unpin();
            return false;
        }
        return true;
    }

    /** The kernel has forgotten its memory. */
    public void unpin() {
        if ((long) USES.getAndAdd(this, -PIN) == CLOSED + PIN) {
            letGo();
        }
    }

    @Override
    public void close() {
        long before = (long) USES.getAndBitwiseOr(this, CLOSED);
        if (before == 0) {
            letGo();
        }
        table.forget(this);
        if (before >= PIN) {
            table.closing(this);
        }
    }

    private void letGo() {
        if (released.compareAndSet(false, true)) {
            hold.close();
            table.released(this);
        }
    }

    RegionState state(String owner) {
        return new RegionState(who, block.name(), key, offset, length, inFlight(), rights, isClosed(), owner);
    }
}
