package io.manafold.adapter.internal.rdma;

import io.manafold.gdma.WorkRequest;
import io.manafold.memory.DmaBlock;

/** Memory of ours that a request is copied to before it is looked at. For one thread at a time. */
final class Scratch implements AutoCloseable {
    private DmaBlock memory;

    void open() {
        if (memory == null) {
            memory = new DmaBlock("manafold-roce", WorkRequest.MAX_SEND);
        }
    }

    long address() {
        return memory.address();
    }

    @Override
    public void close() {
        if (memory != null) {
            memory.close();
            memory = null;
        }
    }
}
