package io.manafold.api.net;

import org.osgi.annotation.versioning.ProviderType;

/** A user's way to the packets of a device; it ends with the device. */
@ProviderType
public interface PacketPort extends AutoCloseable {
    /**
     * Empty buffers to send, with headroom and placed at length 0. On the device's thread.
     *
     * @return how many there were
     */
    int take(PacketBuffer[] into, int from, int count);

    /**
     * Sends packets; what is accepted is the device's, the rest stays the caller's. On the device's thread. A buffer of
     * another function is copied.
     *
     * @return how many were accepted, from the first on; fewer when a queue is full or the device is down
     */
    int send(PacketBuffer[] packets, int from, int count);

    /**
     * Has something run on the device's thread, before its next cycle; any thread may call. False once it is closed.
     */
    boolean execute(Runnable command);

    /** There is something to do; any thread may call. */
    void wake();

    /**
     * Ends it: when this returns the user is not called any more. Any thread may call, the device's own as well. A user
     * that holds the device's thread is waited for, ten seconds at most; if it is the one that leaves, the call which
     * it is in may outlast this.
     */
    @Override
    void close();
}
