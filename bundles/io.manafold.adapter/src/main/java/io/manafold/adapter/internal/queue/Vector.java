package io.manafold.adapter.internal.queue;

/** An interrupt vector as an event queue sees it. */
@FunctionalInterface
public interface Vector {
    /** Raises the vector. Any thread; does not block. */
    void signal();
}
