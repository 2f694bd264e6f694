package io.manafold.adapter.internal;

import io.manafold.adapter.internal.ethernet.EthernetPort;
import io.manafold.api.agent.TurnHost;
import io.manafold.api.device.PciAddress;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import org.osgi.annotation.bundle.Capability;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

/** The ports of an adapter among the services of the framework, for those who take turns with them. */
@Capability(namespace = "osgi.service", uses = TurnHost.class,
        attribute = "objectClass:List<String>='io.manafold.api.agent.TurnHost'")
final class TurnHosts implements AutoCloseable {
    private final List<ServiceRegistration<TurnHost>> registrations = new ArrayList<>();

    TurnHosts(BundleContext context, PciAddress address, List<EthernetPort> ports) {
        for (int i = 0; i < ports.size(); i++) {
            registrations.add(context.registerService(TurnHost.class, ports.get(i)::join,
                    new Hashtable<>(Map.of("address", address.toString(), "port", i + 1))));
        }
    }

    /** When this returns, those who took turns have been told to leave. */
    @Override
    public void close() {
        for (ServiceRegistration<TurnHost> one : registrations) {
            try {
                one.unregister();
            } catch (IllegalStateException gone) {
                // the framework was faster
            }
        }
    }
}
