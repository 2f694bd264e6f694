package io.manafold.api.rdma;

import java.net.InetSocketAddress;

/**
 * A listener or a connection as others see it.
 *
 * @param device the name of its device, {@code null} for a listener at all of them
 * @param queuePair the number of its queue pair, 0 for a listener and for a request that was not accepted
 * @param remote {@code null} for a listener
 * @param owner the symbolic name of the bundle that it belongs to
 */
public record ConnectionStatus(String device, int port, int queuePair, ConnectionState state, InetSocketAddress local,
        InetSocketAddress remote, String owner) {
}
