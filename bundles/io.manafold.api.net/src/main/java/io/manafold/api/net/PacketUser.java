package io.manafold.api.net;

import io.manafold.api.agent.DutyCycle;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * What stands above a network device: it takes what arrives and may send. All of it runs on the device's own thread,
 * one call at a time, must not block, and is called no more once {@link PacketPort#close} has returned.
 */
@ConsumerType
public interface PacketUser extends DutyCycle {
    /** Who it is, for people who ask where a buffer is. */
    String name();

    /** Packets have arrived. Each one taken is the user's from here on, to be sent or released. */
    void receive(PacketBuffer[] packets, int count);

    /** What there is to do besides, in every cycle of the device's thread; 0 lets it rest. */
    @Override
    default int doWork() {
        return 0;
    }
}
