package io.manafold.netdev;

import io.manafold.api.net.PacketBuffer;
import org.osgi.annotation.versioning.ConsumerType;

/** A device's way out. On the device's thread. */
@ConsumerType
public interface PacketSender {
    /** Empty buffers to send; how many there were. */
    int take(PacketBuffer[] into, int from, int count, String holder);

    /** Sends packets; how many were accepted, the others stay the caller's. */
    int send(PacketBuffer[] packets, int from, int count);
}
