package io.manafold.api.sockets;

import io.manafold.api.memory.MemoryBlock;
import org.osgi.annotation.versioning.ProviderType;

/** A part of a memory block that transfers may name by its key. Any thread may call. */
@ProviderType
public interface Region extends AutoCloseable {
    /** Of the rights: what is in it may be sent. */
    int SEND = 1;
    /** Of the rights: what comes may be written into it. */
    int RECEIVE = 1 << 1;

    MemoryBlock block();

    /** Where it begins in the block. */
    long offset();

    long length();

    /** Bits of the constants here. */
    int rights();

    /** What transfers call it; another one each time something is registered. */
    int key();

    /** How many transfers of it have not come back. */
    int inFlight();

    /**
     * Its key is not known any more. Transfers that were posted before go on, and the block stays until the last of
     * them has come back. A second time does nothing.
     */
    @Override
    void close();
}
