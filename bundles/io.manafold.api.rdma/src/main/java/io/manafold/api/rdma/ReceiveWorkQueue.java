package io.manafold.api.rdma;

import org.osgi.annotation.versioning.ProviderType;

/** A queue of receives for packets of a port. It has one poster, and completions in a queue of its own. */
@ProviderType
public interface ReceiveWorkQueue extends AutoCloseable {
    /** By which completions and events know it. */
    int number();

    /**
     * Posts what is left of a list, as far as there is room, with one doorbell. Nothing is allocated.
     *
     * @return how many were posted by this call
     * @throws io.manafold.api.refusal.Refusal as {@link QueuePair#post(ReceiveList)}
     */
    int post(ReceiveList list);

    /** The same as {@link QueuePair#direct}. */
    <T> T direct(Class<T> type, Runnable withdrawn);

    /**
     * Ends it. What was posted does not come back.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EBUSY} while packets are spread to it
     */
    @Override
    void close();
}
