package io.manafold.rdma.internal.queue;

import io.manafold.gdma.driver.DoorbellPage;

/** The device that queues of an RDMA adapter belong to. */
public interface RdmaQueueDevice extends QueueDevice {
    /** The handle of the device's adapter in requests. */
    long adapter();

    /** On which the queues are rung. */
    DoorbellPage page();

    /** The event queue of completions. */
    int eventQueue();

    /** Has something done soon that may take long, on another thread. */
    void soon(Runnable command);
}
