package io.manafold.api.device;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Which pages of a range a function reaches, one by one, as the table of a unit between the two. Any thread may call.
 */
@ProviderType
public interface PageTable {
    /**
     * Lets the function reach pages.
     *
     * @param address where the function finds the first, a multiple of 4096 as is the length
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for what is not aligned or not of the range,
     *         {@code EEXIST} if a page is reached already
     */
    void enter(long address, long length);

    /**
     * Ends that; from the return on nothing new is reached there.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} as for {@link #enter}, {@code ENOENT} if a page is not
     *     reached
     */
    void remove(long address, long length);
}
