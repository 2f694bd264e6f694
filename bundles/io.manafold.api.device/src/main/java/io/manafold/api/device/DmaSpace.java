package io.manafold.api.device;

import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The memory a function can reach, by the addresses its driver gives it. Memory comes as a file that can be mapped, so
 * that a driver in this process and one behind a socket lend it the same way. Any thread may call.
 */
@ProviderType
public interface DmaSpace {
    /**
     * Makes a part of a file reachable. The descriptor stays the caller's and may be closed afterwards.
     *
     * @param address where the function finds it; a multiple of 4096, as are length and offset
     * @param writable whether the function may write there
     * @throws Refusal {@code EINVAL} for what is not aligned or wraps, {@code EEXIST} for an
     *         overlap, {@code ENOSPC} past the limit of ranges, {@code ENOMEM} or what else the kernel says
     */
    void map(long address, long length, int descriptor, long offset, boolean writable);

    /**
     * As {@link #map}, but of the range only those pages are reached that are in the table: none at first. Where the
     * function is behind a socket the table is kept and checked all the same, though it cannot hold the other side to
     * it.
     *
     * @throws Refusal what {@link #map} says; {@code EOPNOTSUPP} if memory can be mapped as a whole only
     */
    default PageTable mapPaged(long address, long length, int descriptor, long offset, boolean writable) {
        throw new Refusal(Errno.EOPNOTSUPP, "This function's memory is mapped as a whole, not page by page.");
    }

    /**
     * Has the pages of a mapped range in place, as if they were pinned, so that the function's first touch of each
     * waits for nothing. What cannot be had now comes with that touch, as it always does where the function is behind
     * a socket.
     */
    default void populate(long address, long length) {
    }

    /**
     * Takes a range away, exactly as it was mapped or several whole ones. From the return on nothing new is reached in
     * it; the stage completes when every thread that was still busy there has left it, within a tenth of a second.
     *
     * @throws Refusal {@code ENOENT} if nothing is mapped there, {@code EINVAL} if a mapping
     *         would be cut in two
     */
    CompletionStage<Void> unmap(long address, long length);

    /** Takes everything away. */
    CompletionStage<Void> clear();

    /** How many ranges are mapped. */
    int ranges();

    /** How many bytes are mapped. */
    long bytes();
}
