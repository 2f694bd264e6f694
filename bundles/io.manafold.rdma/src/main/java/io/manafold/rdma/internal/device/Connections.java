package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.ConnectionState;
import io.manafold.api.rdma.ConnectionStatus;
import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.RdmaConnections;
import io.manafold.api.rdma.RdmaListener;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.rdma.internal.connection.AddressPair;
import io.manafold.rdma.internal.queue.RcQueuePair;
import io.manafold.roce.cm.CmAddresses;
import io.manafold.roce.cm.CmPath;
import io.manafold.roce.cm.CmRequest;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Connections as one bundle has them: all that the bundle made and did not close ends with this. */
final class Connections implements RdmaConnections {
    private static final int MOST_BACKLOG = 4096;
    private static final int PORT = 1;
    private static final int ANSWER_EXPONENT = 20;
    private static final int REPEATS = 15;
    private static final int ACK_TIMEOUT = 18;
    private static final int HOP_LIMIT = 64;
    private static final int FIRST_PORT = 32_768;
    private static final int LAST_PORT = 61_000;

    private final ConnectionBook book;
    private final String owner;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** @param owner the bundle's symbolic name */
    Connections(ConnectionBook book, String owner) {
        this.book = book;
        this.owner = owner;
    }

    /** All that the bundle has made and not closed ends. */
    void close() {
        closed = true;
        book.listeners().stream().filter(listener -> listener.owner() == this).forEach(Listener::close);
        connections.forEach(Connection::close);
    }

    // ---- checks

    private void requireOpen() {
        if (closed) {
            throw new Refusal(Errno.EBADF, "Connections for RDMA have been given back by this bundle; get the service "
                    + "again.");
        }
    }

    static RcQueuePair require(QueuePair pair, VerbsDevice device) {
        if (!(pair instanceof RcQueuePair own)) {
            throw new Refusal(Errno.EINVAL, "Connections are made of queue pairs for reliable connections of this "
                    + "driver.");
        }
        VerbsDevice its = ((VerbsContext) own.home()).device();
        if (device != null && its != device) {
            throw new Refusal(Errno.EINVAL, "Queue pair " + own.number() + " is of " + its.name()
                    + ", and the request came to " + device.name() + "; make a queue pair of that device.");
        }
        return own;
    }

    static void limit(ConnectionPlan plan, int most) {
        if (plan.privateData().length > most) {
            throw new Refusal(Errno.EINVAL, "There are at most " + most + " bytes of private data here, not "
                    + plan.privateData().length + "; send more once the connection is there.");
        }
        inside("reads", plan.inboundReads(), 0, 255);
        inside("reads", plan.outboundReads(), 0, 255);
        inside("retries", plan.retries(), 0, 7);
        inside("retries of a peer without a receive", plan.rnrRetries(), 0, 7);
    }

    private static void inside(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new Refusal(Errno.EINVAL, "A connection has " + least + " to " + most + " " + what + ", not "
                    + value + ".");
        }
    }

    private static InetAddress resolved(InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw new Refusal(Errno.EADDRNOTAVAIL, "No address is known of " + address.getHostString()
                    + "; write an IP address.");
        }
        return address.getAddress();
    }

    // ---- the service

    @Override
    public String deviceTo(InetAddress destination) {
        Gid gid = Gid.of(destination);
        Refusal closest = null;
        String own = null;
        for (VerbsDevice device : book.devices()) {
            if (device.gids(PORT).contains(gid)) {
                own = device.name();
            } else {
                try {
                    device.neighbours(PORT).source(device.gids(PORT).getFirst(), gid);
                    return device.name();
                } catch (Refusal refused) {
                    closest = closest == null || refused.errno() == Errno.EBUSY ? refused : closest;
                }
            }
        }
        if (closest != null && closest.errno() == Errno.EBUSY) {
            throw closest;
        }
        if (own != null) {
            // a device leads to itself where no other does
            return own;
        }
        throw new Refusal(Errno.ENETUNREACH, "No RDMA device leads to " + destination.getHostAddress()
                + "; 'ip route' lists where network devices lead, and 'rdma link' which have RDMA.");
    }

    @Override
    public RdmaListener listen(InetSocketAddress local, int backlog) {
        requireOpen();
        InetAddress address = resolved(local);
        if (backlog < 1 || backlog > MOST_BACKLOG) {
            throw new Refusal(Errno.EINVAL, "A backlog is from 1 to " + MOST_BACKLOG + ", not " + backlog + ".");
        }
        if (!address.isAnyLocalAddress()) {
            Gid gid = Gid.of(address);
            for (VerbsDevice device : book.devices()) {
                if (device.neighbours(PORT).isTaken() && device.neighbours(PORT).addresses().contains(gid)) {
                    throw new Refusal(Errno.EBUSY, "The kernel is behind the port of " + device.name() + " with "
                            + address.getHostAddress() + "; listen at another address, or take the tap away.");
                }
            }
            if (book.devices().stream().noneMatch(device -> device.has(gid))) {
                throw new Refusal(Errno.EADDRNOTAVAIL, address.getHostAddress()
                        + " is no address of an RDMA device; 'ip addr' lists those of their network devices.");
            }
        }
        Listener listener = book.listen(this, local, backlog);
        undoIfClosed(listener::close);
        return listener;
    }

    /** What was made while the bundle gave the service back was perhaps not seen by {@link #close}. */
    private void undoIfClosed(Runnable undo) {
        try {
            requireOpen();
        } catch (Refusal late) {
            undo.run();
            throw late;
        }
    }

    void forget(Listener listener) {
        book.remove(listener);
    }

    @Override
    public RdmaConnection connect(QueuePair pair, InetSocketAddress destination, ConnectionPlan plan) {
        requireOpen();
        InetAddress address = resolved(destination);
        RcQueuePair own = require(pair, null);
        limit(plan, ConnectionPlan.REQUEST_BYTES);
        if (destination.getPort() < 1 || address.isAnyLocalAddress()) {
            throw new Refusal(Errno.EINVAL, "A connection is made to one address and a port from 1 to 65535, not to "
                    + Sockets.text(destination) + ".");
        }
        VerbsDevice device = ((VerbsContext) own.home()).device();
        if (device.isGone()) {
            throw device.gone();
        }
        Gid remote = Gid.of(address);
        Gid source = device.neighbours(PORT).source(device.gids(PORT).getFirst(), remote);
        int sourcePort = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
        Management management = device.management();
        Connection connection = connection(management, own, new AddressPair(source, remote),
                Sockets.of(source, sourcePort), destination);
        connection.begin(plan);
        ConnectedPair steps = connection.steps();
        connection.guard(() -> steps.path(0, 0, HOP_LIMIT));
        int mtu = management.mtuCode();
        CmPath path = new CmPath(source.high(), source.low(), remote.high(), remote.low(), 0, 0, 0, HOP_LIMIT, 0xffff,
                mtu, 0, false, ACK_TIMEOUT);
        CmAddresses addresses = new CmAddresses(!remote.isIpv4(), sourcePort, source.high(), source.low(),
                remote.high(), remote.low());
        connection.ask(new CmRequest(0, CmAddresses.serviceId(CmAddresses.PORTS_TCP, destination.getPort()),
                management.guid(), steps.endpoint(steps.inbound(), steps.outbound()), path, 0, ANSWER_EXPONENT,
                ANSWER_EXPONENT, plan.retries(), REPEATS, addresses.encode(plan.privateData().clone())), mtu);
        return connection;
    }

    Connection connection(Management management, RcQueuePair pair, AddressPair ends, InetSocketAddress here,
            InetSocketAddress there) {
        Connection made = new Connection(management, pair, ends, here, there, owner, connections::remove);
        connections.add(made);
        undoIfClosed(made::close);
        return made;
    }

    @Override
    public List<ConnectionStatus> list() {
        List<ConnectionStatus> all = new ArrayList<>();
        for (Listener listener : book.listeners()) {
            String name = listener.owner().owner;
            all.add(new ConnectionStatus(null, 0, 0, ConnectionState.LISTEN, listener.local(), null, name));
            for (Request request : listener.waiting()) {
                all.add(new ConnectionStatus(request.device(), PORT, 0, ConnectionState.CONNECTING, request.local(),
                        request.remote(), name));
            }
        }
        for (Connection connection : book.connections()) {
            all.add(new ConnectionStatus(connection.device(), PORT, connection.pair().number(), connection.state(),
                    connection.local(), connection.remote(), connection.owner()));
        }
        return all;
    }
}
