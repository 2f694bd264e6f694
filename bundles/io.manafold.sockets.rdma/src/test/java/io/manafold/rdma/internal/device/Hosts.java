package io.manafold.rdma.internal.device;

import io.manafold.api.fabric.Impairments;
import io.manafold.api.rdma.RdmaConnections;
import io.manafold.api.rdma.RdmaDevice;
import java.net.InetAddress;

/** Two platforms with a real adapter and driver each, on one switch, as the tests of the driver have them. */
public final class Hosts implements AutoCloseable {
    private final TwoHosts hosts;

    public Hosts() {
        try {
            hosts = new TwoHosts();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    public RdmaDevice left() {
        return hosts.left.device();
    }

    public RdmaDevice right() {
        return hosts.right.device();
    }

    public RdmaConnections leftConnections() {
        return hosts.left.connections;
    }

    public RdmaConnections rightConnections() {
        return hosts.right.connections;
    }

    public InetAddress leftAddress() {
        return hosts.address(hosts.left, 1).getAddress();
    }

    public InetAddress rightAddress() {
        return hosts.address(hosts.right, 1).getAddress();
    }

    /** The left device goes. */
    public void removeLeft() {
        hosts.left.device.close();
    }

    /** From now on no packet arrives. */
    public void cut() {
        hosts.net.link().impair(new Impairments(100, 0, 0, 0, 1));
    }

    /** A third host asks the left one for connections without end, and answers nothing; until it is closed. */
    public AutoCloseable flood(int port, byte[] privateData) {
        ConnectionFlooder flooder = new ConnectionFlooder(hosts.net, TwoHosts.LEFT,
                hosts.left.ethernet.vports().getFirst().mac(), port, privateData);
        hosts.lan.strangers.put(ConnectionFlooder.gid(), flooder.mac());
        flooder.begin();
        return flooder;
    }

    /** The cable of both is pulled out, or what else has no packet arrive. */
    @Override
    public void close() {
        hosts.close();
    }
}
