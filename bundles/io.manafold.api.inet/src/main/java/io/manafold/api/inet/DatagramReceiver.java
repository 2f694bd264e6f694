package io.manafold.api.inet;

import org.osgi.annotation.versioning.ConsumerType;

/** Takes datagrams; on the device's thread, so that it must not block. */
@ConsumerType
@FunctionalInterface
public interface DatagramReceiver {
    /**
     * A refusal, such as that of an answer to an address without a way back, is counted as a datagram that was dropped;
     * any other exception closes the port.
     *
     * @param datagram good during the call only
     */
    void receive(Datagram datagram);
}
