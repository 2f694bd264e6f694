package io.manafold.api.sockets;

import io.manafold.api.memory.MemoryBlock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/**
 * One way to carry byte streams, a transport. A service with the property {@link #TRANSPORT}: {@code nio} is always
 * there, {@code uring} too, and is carried as {@code nio} where the kernel lets a process have no rings, which its
 * knobs say; {@code rdma} while there is an RDMA device. The same program runs over each, and
 * {@link TransportChoice} picks the one that has the knobs it asks for.
 *
 * <p>Each bundle that gets the service has a context of its own: its keys mean nothing to others, and what it made and
 * did not close ends when it gives the service back. Any thread may call; what belongs to a {@link Queues} is for the
 * thread that serves it.
 *
 * <pre>{@code
 * Region region = sockets.register(block, Region.SEND | Region.RECEIVE);
 * Queues queues = sockets.queues(QueuesPlan.USUAL);
 * Endpoint endpoint = sockets.connect(queues, address, EndpointPlan.USUAL, 1);
 * Completions completions = new Completions(64);
 * queues.await(Duration.ofSeconds(5));
 * queues.poll(completions);                                       // CONNECT
 * endpoint.receive(region.key(), 0, 4096, 1);
 * endpoint.send(region.key(), 4096, 4096, 2);
 * queues.submit();
 * }</pre>
 */
@ProviderType
public interface Sockets {
    /** Of the service: what {@link #transport} says. */
    String TRANSPORT = "transport";

    /** {@code nio}, {@code uring} or {@code rdma}. */
    String transport();

    /** {@code tcp} if any program can be the peer, {@code rdma} if it has to be a platform of this kind. */
    String protocol();

    /**
     * An address of this machine at which it can listen and to which it can connect: that of the loopback, or of a
     * device.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EADDRNOTAVAIL} if there is none at the moment
     */
    InetAddress address();

    /**
     * Which values of which knobs can be had here. Found out when it is asked for the first time, by doing each thing
     * once; that may take some tens of milliseconds.
     */
    List<KnobOffer> probe();

    /**
     * Whether one value can be had here: of numbers and names as well, of which {@link #probe} has no list. Found out
     * as there.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for a value that the knob does not allow
     */
    KnobOffer offer(Knob knob, String value);

    /**
     * Registers a part of a block, which stays until the region is closed and all transfers of it have come back.
     *
     * @param rights bits of {@link Region}
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for a part that the block does not have and for unknown
     *     rights; {@code ENOMEM} past a limit that cannot be waited for; {@code ENOSPC} if there are too many
     */
    Region register(MemoryBlock block, long offset, long length, int rights);

    /** Registers all of a block. */
    default Region register(MemoryBlock block, int rights) {
        return register(block, 0, block.size(), rights);
    }

    /**
     * Makes queues. The thread that uses them first serves them from then on.
     *
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for sizes that cannot be; {@code EOPNOTSUPP},
     *     {@code EPERM} or what else the kernel says for a knob that was demanded and cannot be had
     */
    Queues queues(QueuesPlan plan);

    /**
     * Begins to connect. A completion of {@link Operation#CONNECT} says how it went; what is posted before that waits
     * for it, and fails with it.
     *
     * @param tag of that completion
     * @throws io.manafold.api.refusal.Refusal {@code EINVAL} for an address without a number or for queues of another
     *     transport, {@code EBUSY} for queues that another thread serves, {@code EMFILE} if the process has no
     *     descriptor left, and for knobs as {@link #queues}
     */
    Endpoint connect(Queues queues, InetSocketAddress remote, EndpointPlan plan, long tag);

    /**
     * Listens. Each connection that comes is a completion of {@link Operation#ACCEPT}, whose endpoint belongs to the
     * same queues. While the process has no descriptor left the connections wait in the kernel, which one completion of
     * {@code EMFILE} says.
     *
     * @param plan of the endpoints that come
     * @param tag of those completions
     * @throws io.manafold.api.refusal.Refusal {@code EADDRINUSE}, {@code EADDRNOTAVAIL}, {@code EACCES} as the kernel
     *     says, and others as {@link #connect}
     */
    Listener listen(Queues queues, InetSocketAddress local, EndpointPlan plan, long tag);

    /**
     * Connects, on queues that a thread of the transport serves: for programs that want a connection's
     * {@link Endpoint#channel} and no queues. Waits until it is connected.
     *
     * @throws io.manafold.api.refusal.Refusal {@code ECONNREFUSED}, {@code ETIMEDOUT}, {@code EHOSTUNREACH} as the
     *     kernel says, and others as {@link #connect(Queues, InetSocketAddress, EndpointPlan, long)}
     */
    Endpoint connect(InetSocketAddress remote, EndpointPlan plan, Duration limit) throws InterruptedException;

    /** All endpoints of all bundles here, for administrators. */
    List<EndpointState> endpoints();

    /** All listeners of all bundles here, for administrators. */
    List<ListenerState> listeners();

    /**
     * How the last transfers went of an endpoint of any bundle, as {@link Endpoint#explain}. Those of the last 64
     * endpoints that were closed are known too.
     *
     * @throws io.manafold.api.refusal.Refusal {@code ENOENT} if there is none
     */
    List<Transfer> explain(String endpoint);

    /** The last 64 endpoints that were closed, of all bundles, oldest first, for administrators. */
    List<EndpointState> closed();

    /**
     * Closes an endpoint or listener of any bundle, as its administrator wants it.
     *
     * @return whether there was one
     */
    boolean close(String name);

    /** All regions of all bundles here, for administrators. */
    List<RegionState> regions();
}
