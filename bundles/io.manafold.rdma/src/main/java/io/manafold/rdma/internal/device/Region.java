package io.manafold.rdma.internal.device;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.gdma.driver.ProtectionDomain.RegisteredMemory;
import java.util.function.Consumer;

/** A part of a block with keys. */
final class Region implements MemoryRegion {
    private final MemoryBlock block;
    private final long offset;
    private final long length;
    private final int access;
    private final long address;
    private final RegisteredMemory registered;
    private final Consumer<Region> closing;

    /** @param closing is told that it is being closed, and ends it */
    Region(MemoryBlock block, long offset, long length, int access, long address, RegisteredMemory registered,
            Consumer<Region> closing) {
        this.block = block;
        this.offset = offset;
        this.length = length;
        this.access = access;
        this.address = address;
        this.registered = registered;
        this.closing = closing;
    }

    RegisteredMemory registered() {
        return registered;
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
    public int access() {
        return access & ~Access.ZERO_BASED;
    }

    @Override
    public long address() {
        return address;
    }

    @Override
    public int localKey() {
        return registered.localKey();
    }

    @Override
    public int remoteKey() {
        return registered.remoteKey();
    }

    @Override
    public void close() {
        closing.accept(this);
    }
}
