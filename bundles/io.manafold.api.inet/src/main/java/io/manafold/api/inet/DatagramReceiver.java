package io.manafold.api.inet;

import org.osgi.annotation.versioning.ConsumerType;

/** Takes datagrams; on the device's thread, so that it must not block. */
@ConsumerType
@FunctionalInterface
public interface DatagramReceiver {
    /** @param datagram good during the call only */
    void receive(Datagram datagram);
}
