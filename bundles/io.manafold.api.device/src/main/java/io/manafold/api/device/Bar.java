package io.manafold.api.device;

import org.osgi.annotation.versioning.ProviderType;

/** One register window of a function. Offsets are in bytes, naturally aligned; an access never calls back. */
@ProviderType
public interface Bar {
    /** The number of the base address register, 0 to 5. */
    int index();

    long size();

    boolean is64Bit();

    boolean isPrefetchable();

    int read32(long offset);

    long read64(long offset);

    void write32(long offset, int value);

    void write64(long offset, long value);
}
