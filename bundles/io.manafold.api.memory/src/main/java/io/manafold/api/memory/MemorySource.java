package io.manafold.api.memory;

import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Makes blocks of memory, within limits for all of them together. A service. */
@ProviderType
public interface MemorySource {
    /**
     * Makes a block. Its maker holds it until it is closed. The machine gives its memory when it is touched first.
     *
     * @param name for people
     * @param bytes at least 1; rounded up to whole pages
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for no such size, {@code ENOSPC} past the limits,
     *         {@code ENOMEM} or what else the kernel says
     */
    MemoryBlock make(String name, long bytes);

    /** Those that are there, by name. */
    List<MemoryBlock> blocks();
}
