package io.manafold.api.sockets;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Buffers for what comes on any endpoint of one {@link Queues} that has {@link Endpoint#receive(ReceivePool, long)}
 * armed. A delivery is lent to the program: it is given back by its number, once for each delivery. When there is none
 * left, receiving rests, no byte is lost, and it goes on when some come back. For the thread that serves the queues.
 */
@ProviderType
public interface ReceivePool extends AutoCloseable {
    Region region();

    int bufferBytes();

    /** How many it has. */
    int buffers();

    /** How many are neither lent nor being filled. */
    int free();

    /**
     * Gives a delivery back.
     *
     * @param buffer as {@link Completions#buffer} said
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} if it is not lent
     */
    void giveBack(int buffer);

    /**
     * Ends it. Its buffers may be given back no more; the region stays.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EBUSY} while endpoints are armed with it
     */
    @Override
    void close();
}
