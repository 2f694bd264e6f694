package io.manafold.sockets.internal.nio;

import io.manafold.api.inet.Hosts;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.sockets.Sockets;
import io.manafold.sockets.internal.steering.QueueSteering;
import io.manafold.streams.SocketsFactory;
import java.util.Hashtable;
import java.util.Map;
import org.osgi.annotation.bundle.Capability;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Registers the transport that is always there. */
@Capability(namespace = "osgi.service", uses = Sockets.class,
        attribute = {"objectClass:List<String>='io.manafold.api.sockets.Sockets'", "transport=nio", "protocol=tcp"})
@Component(service = {})
public final class NioProvider {
    private final ServiceRegistration<?> registration;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile Hosts hosts;

    @Activate
    public NioProvider(BundleContext context, @Reference MemorySource memory) {
        NioTransport transport = new NioTransport(new QueueSteering(() -> hosts));
        registration = context.registerService(Sockets.class.getName(), new SocketsFactory(transport, memory),
                new Hashtable<>(Map.of(Sockets.TRANSPORT, transport.name())));
    }

    @Deactivate
    void stop() {
        // each bundle's context ends with it
        registration.unregister();
    }
}
