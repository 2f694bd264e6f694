package io.manafold.ethernet.internal.user;

import io.manafold.ethernet.internal.queue.QueueSet;

/** Is told, on any thread, that queues cannot go on. */
@FunctionalInterface
public interface Trouble {
    void of(QueueSet queues, String reason);
}
