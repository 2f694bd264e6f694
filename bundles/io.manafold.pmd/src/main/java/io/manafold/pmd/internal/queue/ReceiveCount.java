package io.manafold.pmd.internal.queue;

/** What a queue has received. Written by the thread that polls the queue. */
public final class ReceiveCount {
    long packets;
    long bytes;
    long errors;
    long noBuffers;

    /** A packet that the queue gave goes no further. By the thread that polls the queue. */
    public void drop() {
        errors++;
    }

    public long packets() {
        return packets;
    }

    public long bytes() {
        return bytes;
    }

    /** Completions of packets that could not be given. */
    public long errors() {
        return errors;
    }

    /** How many packets its pool did not have. */
    public long noBuffers() {
        return noBuffers;
    }
}
