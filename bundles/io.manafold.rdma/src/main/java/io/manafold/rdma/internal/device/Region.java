package io.manafold.rdma.internal.device;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.rdma.Access;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.driver.ProtectionDomain.RegisteredMemory;
import io.manafold.gdma.message.CreateMr;
import io.manafold.memory.LentBlock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A part of a block with keys. */
final class Region implements MemoryRegion {
    private static final Logger LOG = LoggerFactory.getLogger(Region.class);
    private static final int RIGHTS = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ
            | Access.REMOTE_ATOMIC;

    private final int number;
    private final MemoryBlock block;
    private final long offset;
    private final long length;
    private final int access;
    private final long address;
    private final RegisteredMemory registered;
    private final Consumer<Region> closing;

    private Region(int number, MemoryBlock block, long offset, long length, int access, long address,
            RegisteredMemory registered, Consumer<Region> closing) {
        this.number = number;
        this.block = block;
        this.offset = offset;
        this.length = length;
        this.access = access;
        this.address = address;
        this.registered = registered;
        this.closing = closing;
    }

    /**
     * Registers it.
     *
     * @param closing is told that it is being closed, and ends it
     */
    static Region make(LentBlocks blocks, io.manafold.gdma.driver.ProtectionDomain domain, MemoryBlock block,
            long offset, long length, int access, Consumer<Region> closing) {
        LentBlock lent = blocks.take(block);
        try {
            boolean zeroBased = (access & Access.ZERO_BASED) != 0;
            long address = zeroBased ? 0 : block.segment().address() + offset;
            int type = zeroBased ? CreateMr.ZERO_BASED : CreateMr.VIRTUAL;
            RegisteredMemory made = domain.register(lent.piece(), offset, length, type, address, rights(access));
            return new Region(blocks.nextRegion(), block, offset, length, access, address, made, closing);
        } catch (RuntimeException refused) {
            blocks.giveBack(block, true);
            throw refused;
        }
    }

    /** Refuses what cannot be registered. */
    static void check(MemoryBlock block, long offset, long length, int access) {
        if (length <= 0 || offset < 0 || offset > block.size() - length) {
            throw new Refusal(Errno.EINVAL, "The memory block " + block.name() + " of " + block.size()
                    + " bytes has no part of " + length + " bytes from " + offset
                    + " on; register a part that it has, of at least 1 byte.");
        }
        int unknown = access & ~(RIGHTS | Access.ZERO_BASED);
        if (unknown != 0) {
            throw new Refusal(Errno.EINVAL, "There are no rights 0x" + Integer.toHexString(unknown)
                    + "; use those of Access.");
        }
        if ((access & (Access.REMOTE_WRITE | Access.REMOTE_ATOMIC)) != 0 && (access & Access.LOCAL_WRITE) == 0) {
            throw new Refusal(Errno.EINVAL,
                    "Memory that peers may change must be writable locally; add Access.LOCAL_WRITE.");
        }
    }

    /** The device numbers rights of regions in another order than those of queue pairs. */
    private static int rights(int access) {
        return CreateMr.LOCAL_READ | ((access & Access.LOCAL_WRITE) != 0 ? CreateMr.LOCAL_WRITE : 0)
                | ((access & Access.REMOTE_WRITE) != 0 ? CreateMr.REMOTE_WRITE : 0)
                | ((access & Access.REMOTE_READ) != 0 ? CreateMr.REMOTE_READ : 0)
                | ((access & Access.REMOTE_ATOMIC) != 0 ? CreateMr.REMOTE_ATOMIC : 0);
    }

    /**
     * Takes it from the device. After a refusal the device reaches the block as long as another region of it is there,
     * and its addresses are those of no other block until the device goes.
     */
    void end(PartDevice device) {
        boolean clean = false;
        try {
            registered.close();
            clean = true;
        } catch (Refusal refused) {
            LOG.warn("The block {} is taken from the function, which does not give up region {} of it: {}",
                    block.name(), number, refused.getMessage());
            throw refused;
        } finally {
            device.blocks().giveBack(block, clean);
        }
    }

    /** For people. */
    int number() {
        return number;
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
