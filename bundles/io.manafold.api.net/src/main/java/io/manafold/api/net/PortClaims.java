package io.manafold.api.net;

import org.osgi.annotation.versioning.ProviderType;

/**
 * The Ethernet ports of a function, lent to the driver of one of its other parts: a port's queues belong to its network
 * device or to that driver, never to both.
 */
@ProviderType
public interface PortClaims {
    /**
     * Takes a port while its network device is down; until the claim is closed that stays down and keeps its channels.
     *
     * @param port of the function, from 1
     * @param who for people: {@code mana.rdma.0}
     * @throws io.manafold.api.refusal.Refusal {@code EBUSY} if the network device is up or another driver has the port,
     *         {@code ENODEV} if there is no such port
     */
    AutoCloseable claim(int port, String who);
}
