package io.manafold.rdma.internal.device;

import io.manafold.api.rdma.Gid;
import io.manafold.api.rdma.RdmaConnections;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.rdma.internal.connection.Backlog;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.osgi.annotation.bundle.Capability;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceFactory;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** The devices there are, and who listens at them; each bundle has its connections from here. Any thread may call. */
@Capability(namespace = "osgi.service", uses = RdmaConnections.class,
        attribute = "objectClass:List<String>='io.manafold.api.rdma.RdmaConnections'")
@Component(service = ConnectionBook.class)
public final class ConnectionBook implements Listeners, ServiceFactory<Connections> {
    static final int MOST = 1024;

    private static final int FIRST_FREE = 32_768;
    private static final int LAST_FREE = 60_999;

    private final List<VerbsDevice> devices = new CopyOnWriteArrayList<>();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private int nextFree = FIRST_FREE;

    /** Without a framework around it. */
    ConnectionBook() {
    }

    /** Offers connections to bundles until the own one stops. */
    @Activate
    public ConnectionBook(BundleContext context) {
        context.registerService(RdmaConnections.class.getName(), this, null);
    }

    @Override
    public Connections getService(Bundle bundle, ServiceRegistration<Connections> registration) {
        return new Connections(this, bundle.getSymbolicName());
    }

    @Override
    public void ungetService(Bundle bundle, ServiceRegistration<Connections> registration, Connections connections) {
        connections.close();
    }

    VerbsDevice add(VerbsDevice device) {
        devices.add(device);
        return device;
    }

    void remove(PartDevice device) {
        devices.removeIf(one -> one == device);
    }

    List<VerbsDevice> devices() {
        return devices;
    }

    List<Listener> listeners() {
        return listeners;
    }

    @Override
    public Backlog find(VerbsDevice device, Gid local, int port) {
        for (Listener listener : device.neighbours(1).isTaken() ? List.<Listener>of() : listeners) {
            if (listener.local().getPort() == port && listener.isAt(local)) {
                return new Request(listener, device.management());
            }
        }
        return null;
    }

    synchronized Listener listen(Connections owner, InetSocketAddress asked, int backlog) {
        if (listeners.size() >= MOST) {
            throw new Refusal(Errno.ENOBUFS, "There are " + MOST + " listeners for RDMA; close some.");
        }
        InetSocketAddress local = asked.getPort() == 0 ? free(asked) : asked;
        for (Listener other : listeners) {
            if (other.contradicts(local)) {
                throw new Refusal(Errno.EADDRINUSE, "A listener for RDMA is at "
                        + Sockets.text(other.local()) + " already; choose another port.");
            }
        }
        Listener listener = new Listener(owner, local, backlog);
        listeners.add(listener);
        return listener;
    }

    private InetSocketAddress free(InetSocketAddress asked) {
        for (int i = FIRST_FREE; i <= LAST_FREE; i++) {
            int port = nextFree;
            nextFree = nextFree == LAST_FREE ? FIRST_FREE : nextFree + 1;
            InetSocketAddress candidate = new InetSocketAddress(asked.getAddress(), port);
            if (listeners.stream().noneMatch(listener -> listener.contradicts(candidate))) {
                return candidate;
            }
        }
        throw new Refusal(Errno.EADDRINUSE, "No port for RDMA is free.");
    }

    void remove(Listener listener) {
        listeners.remove(listener);
    }

    /** All connections of all devices. */
    List<Connection> connections() {
        List<Connection> all = new ArrayList<>();
        devices.forEach(device -> all.addAll(device.management().connections().values()));
        return all;
    }
}
