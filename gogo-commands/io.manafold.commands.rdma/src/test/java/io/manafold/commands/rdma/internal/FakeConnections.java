package io.manafold.commands.rdma.internal;

import io.manafold.api.rdma.ConnectionPlan;
import io.manafold.api.rdma.ConnectionStatus;
import io.manafold.api.rdma.QueuePair;
import io.manafold.api.rdma.RdmaConnection;
import io.manafold.api.rdma.RdmaConnections;
import io.manafold.api.rdma.RdmaListener;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** Connections that are listed, and of which none can be made. */
record FakeConnections(List<ConnectionStatus> list) implements RdmaConnections {
    @Override
    public String deviceTo(InetAddress destination) {
        throw new UnsupportedOperationException();
    }

    @Override
    public RdmaListener listen(InetSocketAddress local, int backlog) {
        throw new UnsupportedOperationException();
    }

    @Override
    public RdmaConnection connect(QueuePair pair, InetSocketAddress destination, ConnectionPlan plan) {
        throw new UnsupportedOperationException();
    }
}
