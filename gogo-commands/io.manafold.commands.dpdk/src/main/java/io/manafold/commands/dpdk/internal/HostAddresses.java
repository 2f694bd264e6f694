package io.manafold.commands.dpdk.internal;

import io.manafold.api.inet.Host;
import io.manafold.api.inet.Hosts;
import java.util.List;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Addresses of network devices, which a port that leaves the network stack is reached by no more. */
@Component(service = HostAddresses.class)
public final class HostAddresses {
    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC)
    private volatile Hosts hosts;

    /** Those of a device; none if the platform has no hosts above its devices. */
    List<String> of(String device) {
        Hosts now = hosts;
        return now == null ? List.of() : now.find(device).map(Host::addresses).orElse(List.of()).stream()
                .map(address -> address.prefix().toString()).toList();
    }
}
