package io.manafold.pmd.internal.queue;

import io.manafold.api.memory.MemoryBlock;
import io.manafold.api.rdma.MemoryRegion;
import io.manafold.api.rdma.ProtectionDomain;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.QueuePairPlan;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;

/** Registers blocks, but for one, for no device. */
final class Registrar implements ProtectionDomain {
    MemoryBlock refused;
    int open;

    @Override
    public MemoryRegion register(MemoryBlock block, long offset, long length, int access) {
        if (block == refused) {
            throw new Refusal(Errno.ENOMEM, "There are too many regions.");
        }
        open++;
        return new Region(this, block, offset, length, access);
    }

    @Override
    public QueuePair createQueuePair(QueuePairPlan plan) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        // nothing was made
    }

    private record Region(Registrar registrar, MemoryBlock block, long offset, long length, int access)
            implements MemoryRegion {
        @Override
        public long address() {
            return block.segment().address();
        }

        @Override
        public int localKey() {
            return 0x1200;
        }

        @Override
        public int remoteKey() {
            return 0x1200;
        }

        @Override
        public void close() {
            registrar.open--;
        }
    }
}
