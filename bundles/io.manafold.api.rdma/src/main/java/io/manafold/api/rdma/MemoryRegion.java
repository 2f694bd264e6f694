package io.manafold.api.rdma;

import io.manafold.api.memory.MemoryBlock;
import org.osgi.annotation.versioning.ProviderType;

/** Memory that requests may name, until it is closed. */
@ProviderType
public interface MemoryRegion extends AutoCloseable {
    MemoryBlock block();

    /** Where it begins in the block. */
    long offset();

    long length();

    /** Bits of {@link Access}. */
    int access();

    /** What requests call its first byte: the address of the block's segment there, or 0. */
    long address();

    /** Names it in requests of this side. */
    int localKey();

    /** Names it in requests of the other side. */
    int remoteKey();

    /**
     * Takes it from the device: requests that name it from now on fail, and none is in it when this returns.
     *
     * @throws io.manafold.api.refusal.Refusal if the device does not give it up; what other regions of the same block
     *         keep within its reach it may still change until it goes
     */
    @Override
    void close();
}
