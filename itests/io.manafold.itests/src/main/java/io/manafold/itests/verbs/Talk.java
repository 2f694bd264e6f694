package io.manafold.itests.verbs;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.rdma.RdmaDevice;
import java.util.function.BooleanSupplier;

/** Traffic from one device to another until one of the two has gone. For one thread. */
interface Talk extends AutoCloseable {
    /** Begins. */
    @FunctionalInterface
    interface Beginning {
        Talk begin(RdmaDevice from, RdmaDevice to, MemorySource memory, Score score);
    }

    /** Sends and receives. Ends when asked to; a device that goes ends it by {@code ENODEV}, all work having come back. */
    void run(BooleanSupplier ending);

    @Override
    void close();
}
