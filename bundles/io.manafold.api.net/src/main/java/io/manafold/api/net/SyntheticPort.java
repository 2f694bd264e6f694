package io.manafold.api.net;

import org.osgi.annotation.versioning.ProviderType;

/**
 * A synthetic device while it is polled. One thread at a time receives, one at a time sends; neither waits, and nothing
 * is allocated. Neither calls after {@link #close}, which frees the memory of frames.
 */
@ProviderType
public interface SyntheticPort extends AutoCloseable {
    /** How long the oldest frame is that has come, 0 if there is none. */
    int length();

    /** Where the oldest frame is: an address of this process. */
    long address();

    /** The oldest frame is done with. */
    void free();

    /** Where the bytes of a frame to send can be put, {@link #longest} of them; 0 if there is no room. */
    long reserve();

    /** A frame has been put where {@link #reserve} said. */
    void commit(int length);

    /** Has frames go that were committed. */
    void flush();

    /** The most bytes of a frame. */
    int longest();

    /**
     * Says who gets what is sent to this station: the virtual function, or the synthetic device, as at first. Any
     * thread.
     */
    void steer(boolean toFunction);

    /** Gives it back to the network stack. A second time does nothing. */
    @Override
    void close();
}
