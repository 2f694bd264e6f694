package io.manafold.pmd.internal.queue;

/** What a queue has sent. Written by the thread that polls the queue. */
public final class SendCount {
    long packets;
    long bytes;
    long errors;

    public long packets() {
        return packets;
    }

    public long bytes() {
        return bytes;
    }

    /** Packets that were taken and could not be sent. */
    public long errors() {
        return errors;
    }
}
