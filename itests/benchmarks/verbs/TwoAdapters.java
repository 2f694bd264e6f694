package io.manafold.benchmark;

import io.manafold.api.device.PciFunction;
import java.util.List;

/** Two adapters on a switch. */
interface TwoAdapters extends AutoCloseable {
    PciFunction left();

    PciFunction right();

    /** What they have refused; empty after a good run. */
    List<?> refused();

    /** Bytes that threads of the adapters' process have allocated, as far as it is not this one. */
    long allocated();

    @Override
    void close() throws InterruptedException;
}
