package io.manafold.ethernet.internal.user;

import io.manafold.ethernet.internal.queue.QueueSet;

/** Is told by a network device, on any thread, that its queues cannot go on. */
@FunctionalInterface
public interface FailureListener {
    void failed(QueueSet queues, String reason);
}
