package io.manafold.api.rdma;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import org.osgi.annotation.versioning.ProviderType;

/** A protection domain: its queue pairs reach the memory that is registered in it, and nothing of others. */
@ProviderType
public interface ProtectionDomain extends AutoCloseable {
    /** Registers all of a block. */
    default MemoryRegion register(MemoryBlock block, int access) {
        return register(block, 0, block.size(), access);
    }

    /**
     * Registers a part of a block, which stays until the region is closed.
     *
     * @param access bits of {@link Access}
     * @throws Refusal {@code EINVAL} for a part that the block does not have, for unknown rights, and for remote writes
     *     without local ones; {@code ENOMEM} and others as the device says
     */
    MemoryRegion register(MemoryBlock block, long offset, long length, int access);

    /**
     * Makes a queue pair, in the state {@link QueuePairState#RESET}.
     *
     * @throws Refusal {@code EINVAL} for limits that the device does not have and for completion queues of others,
     *         {@code EOPNOTSUPP} for kinds that it does not have
     */
    QueuePair createQueuePair(QueuePairPlan plan);

    /**
     * Makes a parent domain of this one, which stays open as long.
     *
     * @param port that queues made in it are of
     * @throws Refusal {@code EINVAL} if there is no such port, {@code EOPNOTSUPP} if the device has no queues of ports
     */
    default ParentDomain createParentDomain(int port) {
        throw new Refusal(Errno.EOPNOTSUPP, "This device has no raw packets, for which a domain names a port; use the "
                + "device that is called manae_N.");
    }

    /** @throws Refusal {@code EOPNOTSUPP}: no device has any */
    default AutoCloseable createSharedReceiveQueue(int requests) {
        throw new Refusal(Errno.EOPNOTSUPP, "This device has no shared receive queues; post receives to each queue "
                + "pair.");
    }

    /** @throws Refusal {@code EBUSY} while there are regions or queue pairs in it */
    @Override
    void close();
}
