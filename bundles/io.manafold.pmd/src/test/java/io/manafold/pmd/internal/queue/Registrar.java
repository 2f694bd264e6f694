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
        return new Region(block, offset, length, access);
    }

    @Override
    public QueuePair createQueuePair(QueuePairPlan plan) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        // nothing was made
    }

    private final class Region implements MemoryRegion {
        private final MemoryBlock block;
        private final long offset;
        private final long length;
        private final int access;

        Region(MemoryBlock block, long offset, long length, int access) {
            this.block = block;
            this.offset = offset;
            this.length = length;
            this.access = access;
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
            return access;
        }

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
            open--;
        }
    }
}
