package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.memory.DmaPiece;
import java.util.List;

/** The device that queues are made on, and what it does for them. */
public interface QueueDevice {
    ClientSession client();

    /** The device's name. */
    String name();

    /** Whether queues find threads that take turns. */
    boolean checksThreads();

    /**
     * Something is made, changed or ended: the device stays until {@link #leave}. Nests.
     *
     * @return false if it has gone
     */
    boolean enter();

    void leave();

    /** Whether the device has gone, with all queues. */
    boolean isGone();

    /** Something happened by itself. */
    void tell(AsyncEvent event);

    /** Gives memory of queues back. */
    void free(List<DmaPiece> pieces);

    /** What is said once the device has gone. */
    Refusal gone();
}
