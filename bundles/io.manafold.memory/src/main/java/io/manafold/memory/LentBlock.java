package io.manafold.memory;

import io.manafold.api.memory.MemoryBlock;

/** A block that a function reaches, until it is closed. */
public final class LentBlock implements AutoCloseable {
    private final MemoryBorrower borrower;
    private final MemoryBlock block;
    private final MemoryBlock.Hold hold;
    private final long address;
    private boolean closed;

    LentBlock(MemoryBorrower borrower, MemoryBlock block, MemoryBlock.Hold hold, long address) {
        this.borrower = borrower;
        this.block = block;
        this.hold = hold;
        this.address = address;
    }

    public MemoryBlock block() {
        return block;
    }

    /** All of it, where the driver and the function find it. */
    public DmaPiece piece() {
        return new DmaPiece(block.segment().address(), address, block.size());
    }

    /** Takes it from the function, which is done when this returns. A second time does nothing. */
    @Override
    public void close() {
        end(false);
    }

    /**
     * As {@link #close}, but no other block has its addresses until the driver ends: the function has not said that it
     * uses them no more.
     */
    public void retire() {
        end(true);
    }

    private void end(boolean retired) {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        borrower.takeBack(this, address, block.size(), retired);
        hold.close();
    }
}
