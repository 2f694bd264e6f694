package io.manafold.inet.internal;

import io.manafold.api.net.PacketBuffer;
import io.manafold.api.net.PacketPort;

/** What takes the packets of a device, on the device's thread: protocols of our own, or the kernel. */
interface PacketHandler {
    /** Packets have arrived; they are its own from here on. */
    void receive(PacketPort port, PacketBuffer[] packets, int count);

    /** A cycle. */
    int doWork(PacketPort port);

    /** How long the thread may rest. */
    long restNanos();

    /** The device has gone; on whichever thread saw to that. */
    void drop();
}
