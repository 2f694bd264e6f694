package io.manafold.api.device;

import org.osgi.annotation.versioning.ProviderType;

/**
 * The MSI-X vectors of a function. A vector without a target remembers one pending signal, which the next target gets.
 */
@ProviderType
public interface Interrupts {
    int count();

    /**
     * Directs a vector to a callback, replacing what it had. The callback runs on the signalling thread and must not
     * block: it notes the signal and wakes the agent that does the work.
     */
    void target(int vector, Runnable callback);

    /** Takes the vector's target away. When this returns, the old callback runs no more. */
    void clear(int vector);
}
