package io.manafold.adapter.internal.ethernet;

import io.manafold.api.fabric.Frames;
import io.manafold.api.fabric.Wire;

/**
 * What a port carries besides the frames of its queues: it takes those frames that are its own, and sends some itself.
 * All but {@link #isOpen} is called on the port's agent, inside a reader's cycle.
 */
public interface PortEngine {
    /** Whether a frame may be its own; any thread. */
    boolean isOpen();

    /** Takes a frame; false if it is none of its own. */
    boolean receive(Frames frames, int frame);

    /** Tells drivers of what was taken of a burst. */
    void received();

    /** Whether there is nothing to do as long as nothing arrives and no doorbell is rung. */
    boolean isIdle();

    /**
     * Sends what is there to send, within bounds.
     *
     * @param isLinked whether the wire leads anywhere
     * @param limit what the port may send at this time
     * @return how much was done
     */
    int work(Wire wire, boolean isLinked, SendLimit limit);

    /** In how many nanoseconds there is something to do without being woken. */
    long restNanos();

    /** Ends all there is; on return no memory of the driver is touched any more. */
    void close();

    /** How fast a port may send. */
    interface SendLimit {
        /** Whether there is a limit at all. */
        boolean isPaced();

        /** Whether nothing may be sent at this time. */
        boolean holds(long now);

        /** Frames were sent. */
        void charge(int bytes, int frames, long now);

        /** When something may be sent again. */
        long due();
    }
}
