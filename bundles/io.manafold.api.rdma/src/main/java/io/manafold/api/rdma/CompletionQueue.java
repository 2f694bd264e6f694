package io.manafold.api.rdma;

import java.time.Duration;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A queue of completions, polled by one thread at a time; a second thread that comes while another polls is refused.
 */
@ProviderType
public interface CompletionQueue extends AutoCloseable {
    /** How many completions it holds. */
    int entries();

    /**
     * Takes completions, as many as there are and as there is room for. What was there before is gone. Nothing is
     * allocated.
     *
     * @return how many there are now
     * @throws io.manafold.api.refusal.Refusal {@code EBUSY} if another thread polls, {@code EIO} if the device has
     *     broken the queue, {@code ENODEV} when the device has gone and all that was posted has come back
     */
    int poll(Completions completions);

    /** Has the next completion end an {@link #await}; one that is there already does so at once. */
    void arm();

    /**
     * Waits until there may be something to poll, after {@link #arm}.
     *
     * @return false if the time has passed
     */
    boolean await(Duration limit) throws InterruptedException;

    /**
     * Has what ends an {@link #await} unpark a thread as well, so that one thread can wait for several queues,
     * listeners and connections with {@link java.util.concurrent.locks.LockSupport#park}. The permit stays if the
     * thread is not parked yet.
     *
     * @param waiter {@code null} for none any more
     */
    void unpark(Thread waiter);

    /** @throws io.manafold.api.refusal.Refusal {@code EBUSY} while queue pairs use it */
    @Override
    void close();
}
