package io.manafold.sockets.rdma.internal;

import io.manafold.api.memory.MemorySource;
import io.manafold.api.rdma.RdmaConnections;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Refusal;
import io.manafold.api.sockets.Sockets;
import io.manafold.streams.SocketsFactory;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import org.osgi.annotation.bundle.Capability;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers the transport while there is a device that carries it. */
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.rdma.RdmaDevice)")
@Capability(namespace = "osgi.service", uses = Sockets.class,
        attribute = {"objectClass:List<String>='io.manafold.api.sockets.Sockets'", "transport=rdma"})
@Component(service = {}, immediate = true)
public final class RdmaProvider {
    private static final Logger LOG = LoggerFactory.getLogger(RdmaProvider.class);

    private final BundleContext context;
    private final MemorySource memory;
    private final RdmaTransport transport;
    /** Those that came before the rest was there; guarded by this, as the registration is. */
    private final List<RdmaDevice> early = new ArrayList<>();
    private boolean active;
    private ServiceRegistration<?> registration;

    @Activate
    public RdmaProvider(BundleContext context, @Reference MemorySource memory, @Reference RdmaConnections connections) {
        this.context = context;
        this.memory = memory;
        transport = new RdmaTransport(connections);
    }

    @Activate
    synchronized void activate() {
        active = true;
        early.forEach(this::use);
        early.clear();
        register();
    }

    /** Those of raw packets have no connections. */
    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC, target = "(name=mana_*)")
    synchronized void add(RdmaDevice device) {
        if (active) {
            use(device);
            register();
        } else {
            early.add(device);
        }
    }

    private void use(RdmaDevice device) {
        try {
            transport.add(device);
        } catch (Refusal refused) {
            LOG.warn("{} carries no byte streams: {}", device.name(), refused.getMessage());
        }
    }

    private void register() {
        if (registration == null && transport.hasDevices()) {
            // a user who does not say which wants one that reaches everywhere
            registration = context.registerService(Sockets.class.getName(), new SocketsFactory(transport, memory),
                    new Hashtable<>(Map.of(Sockets.TRANSPORT, transport.name(), Constants.SERVICE_RANKING, -1)));
        }
    }

    void remove(RdmaDevice device) {
        transport.remove(device, "The device " + device.name() + " has gone.");
        ServiceRegistration<?> gone = null;
        synchronized (this) {
            early.remove(device);
            if (!transport.hasDevices()) {
                gone = registration;
                registration = null;
            }
        }
        unregister(gone);
    }

    @Deactivate
    void stop() {
        ServiceRegistration<?> gone;
        synchronized (this) {
            active = false;
            gone = registration;
            registration = null;
        }
        unregister(gone);
    }

    /** Each bundle's context ends with it. No lock is held: they are told of it. */
    private static void unregister(ServiceRegistration<?> gone) {
        if (gone != null) {
            gone.unregister();
        }
    }
}
