package io.manafold.api.rdma;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * Reliable connections by IP address and port, made as users of {@code rdma_cm} know it: its messages go over the wire,
 * so that the other end may be any program that uses RDMA by address. Ports are those of its TCP port space; they are
 * not those of TCP.
 *
 * <p>A service of the platform and not of a device, for the same reason as there: a listener at the wildcard address
 * listens at every device, those included that come later, and an address says by itself which device leads to it. Each
 * bundle has the service for itself; what the bundle made and did not close ends when it gives the service back.
 *
 * <p>Nothing here waits, {@link RdmaListener#next}, {@link RdmaConnection#next} and {@link RdmaConnection#established}
 * aside, and nothing calls the user: all that happens is an event, taken when the user wants it. Any thread may call.
 *
 * <pre>{@code
 * RdmaConnection connection = connections.connect(pair, new InetSocketAddress("10.77.0.1", 7471),
 * ConnectionPlan.USUAL); connection.established(Duration.ofSeconds(10)); pair.post(sends); }</pre>
 */
@ProviderType
public interface RdmaConnections {
    /** How many requests may wait for an answer of a listener that does not say it. */
    int USUAL_BACKLOG = 128;

    /**
     * The name of the device that leads to an address.
     *
     * @throws io.manafold.api.refusal.Refusal {@code ENETUNREACH} if none does, {@code EBUSY} if the kernel is behind
     *     that device's port
     */
    String deviceTo(InetAddress destination);

    /**
     * Listens for requests.
     *
     * @param local where; the wildcard address stands for all addresses of all devices, port 0 for one that is free
     * @param backlog how many requests may wait for an answer; further ones are rejected for lack of resources
     * @throws io.manafold.api.refusal.Refusal {@code EADDRINUSE} if there is a listener, {@code EADDRNOTAVAIL} for an
     *     address that no device has, {@code EINVAL} for a backlog below 1 or too long, {@code EBUSY} if the kernel is
     *     behind the port with the address, {@code ENOBUFS} for too many listeners
     */
    RdmaListener listen(InetSocketAddress local, int backlog);

    /** Listens at a port of all addresses. */
    default RdmaListener listen(int port) {
        return listen(new InetSocketAddress(port), USUAL_BACKLOG);
    }

    /**
     * Begins to connect a queue pair; the pair's device is the one that the request leaves by. What comes of it is told
     * by events of the connection. The pair goes to INIT before this returns, so receives can be posted then, and to
     * RTS by the time the connection is established.
     *
     * @param pair in the state {@link QueuePairState#RESET} or {@link QueuePairState#INIT}
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for a pair in another state, of another driver, or more
     *     private data than {@link ConnectionPlan#REQUEST_BYTES}; {@code EISCONN} if it has a connection;
     *     {@code ENETUNREACH} if its device does not lead there, {@code EADDRNOTAVAIL} if it has no address,
     *     {@code EBUSY} if the kernel is behind its port; {@code ENODEV} when its device has gone, {@code EBADF} when
     *     the service was given back. Too many connections are told by an event, with {@code ENOBUFS}
     */
    RdmaConnection connect(QueuePair pair, InetSocketAddress destination, ConnectionPlan plan);

    /** All listeners and connections of all bundles. */
    List<ConnectionStatus> list();
}
