package io.manafold.rdma.internal.queue;

import io.manafold.api.rdma.AsyncEvent;
import io.manafold.api.refusal.Refusal;
import io.manafold.gdma.driver.ClientSession;
import io.manafold.gdma.driver.DoorbellPage;
import io.manafold.memory.DmaPiece;
import java.util.List;

/** Where queues are at home: the device they are made on, and what is done for them. */
public interface Home {
    ClientSession client();

    /** The handle of the device's adapter in requests. */
    long adapter();

    /** On which the queues are rung. */
    DoorbellPage page();

    /** The event queue of completions. */
    int eventQueue();

    /** The device's name. */
    String name();

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

    /** Has something done soon that may take long, on another thread. */
    void soon(Runnable errand);

    /** Gives memory of queues back. */
    void free(List<DmaPiece> pieces);

    /** What is said once the device has gone. */
    Refusal gone();
}
