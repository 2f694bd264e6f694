package io.manafold.api.memory;

import java.lang.foreign.MemorySegment;
import java.util.SortedMap;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Memory outside the heap, full of zeroes at first, whose length never changes. It can be lent to several functions at
 * once. A user who needs it to stay holds it; its memory goes when the last holder has let go, whichever that is. Any
 * thread may call.
 */
@ProviderType
public interface MemoryBlock extends AutoCloseable {
    /** For people, as its maker called it. */
    String name();

    /** In bytes, whole pages of 4096. */
    long size();

    /** All of it. A touch after its end is an {@link IllegalStateException}. */
    MemorySegment segment();

    /** The file behind it, from its first byte on, to be mapped elsewhere; it stays the block's. */
    int descriptor();

    /**
     * Has it stay until the hold is closed.
     *
     * @param who for people: {@code mana.eth.0}, or {@code key 0x1201 of mana.eth.0}
     * @throws io.manafold.api.refusal.Refusal {@code ENODEV} if the last holder has let go
     */
    Hold hold(String who);

    /** Who holds it, and how often; empty when it has gone. */
    SortedMap<String, Integer> holders();

    /** Lets go for its maker. Others who hold it keep it. A second time does nothing. */
    @Override
    void close();

    /** That a user needs a block to stay. */
    @ProviderType
    interface Hold extends AutoCloseable {
        /**
         * Lets go.
         *
         * @throws io.manafold.api.refusal.Refusal {@code EINVAL} the second time
         */
        @Override
        void close();
    }
}
