package io.manafold.api.sockets;

import java.time.Duration;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * What one thread serves: the send and receive queues of any number of endpoints, and the queue of all their
 * completions. The thread that uses it first is that thread, and others are refused with {@code EBUSY}; each method
 * says if it is for any thread.
 *
 * <p>The queue of completions cannot overrun: what is posted has its room there, and connections and pooled data that
 * come wait where they are while there is none.
 */
@ProviderType
public interface Queues extends AutoCloseable {
    /** For people. Any thread may call. */
    String name();

    /** As they were asked for and as they are. Any thread may call. */
    List<KnobState> knobs();

    /**
     * How many completions there can be that were not polled, those included that posted work will have. Any thread may
     * call.
     */
    int entries();

    /** How many more there can be. */
    int room();

    /**
     * Divides a region into buffers of equal size for data that no receive was posted for.
     *
     * @param bufferBytes from 64 on
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} if the region has no room for them, {@code EACCES} if it
     *     cannot be received into, {@code EFAULT} if it is closed
     */
    ReceivePool pool(Region region, int bufferBytes, int buffers);

    /**
     * Has everything begin that was posted on any of the endpoints. What was posted on one endpoint leaves as one
     * operation, as far as its knobs let it. Nothing is allocated.
     *
     * @return how many sends began
     */
    int submit();

    /**
     * Takes completions, as many as there are and as there is room for. What was there before is gone. Does not submit
     * and does not wait. Nothing is allocated.
     *
     * @return how many there are now
     * @throws io.manafold.api.refusal.Refusal {@code EBUSY} for another thread; {@code EBADF} once it is closed and all
     *     that was posted has come back
     */
    int poll(Completions completions);

    /**
     * Waits until there is something to poll, {@link #wakeup} was called or the time has passed: asleep or spinning, as
     * the knob {@link Knob#WAIT} says. Does not submit.
     *
     * @return whether there is something to poll
     */
    boolean await(Duration limit) throws InterruptedException;

    /** Ends an {@link #await}, or the next one. Any thread may call. */
    void wakeup();

    /**
     * Gives it to another thread: the one that uses it next. Only the thread that serves it can.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EOPNOTSUPP} if its kernel object belongs to a thread for good
     */
    void release();

    /** How often this process entered the kernel for it. Any thread may call. */
    long systemCalls();

    /**
     * Closes its listeners and endpoints. What was posted comes back as {@code ECANCELED} to a thread that polls on;
     * memory is free when this returns. Any thread may call. A second time does nothing.
     */
    @Override
    void close();
}
