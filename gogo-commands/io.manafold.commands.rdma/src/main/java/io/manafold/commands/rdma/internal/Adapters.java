package io.manafold.commands.rdma.internal;

import io.manafold.api.adapter.Adapter;
import io.manafold.api.rdma.RdmaDevice;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.service.component.annotations.CollectionType;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** The software adapters of this platform, and which of them an RDMA device is one of. */
@Component(service = Adapters.class)
public final class Adapters {
    private static final String ADDRESS = "address";

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    volatile List<Adapter> adapters = List.of();

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC,
            service = RdmaDevice.class, collectionType = CollectionType.TUPLE)
    volatile List<Map.Entry<Map<String, ?>, RdmaDevice>> devices = List.of();

    /** All by name. */
    List<Adapter> all() {
        return adapters.stream().sorted(Comparator.comparing(Adapter::name)).toList();
    }

    Optional<Adapter> find(String name) {
        return all().stream().filter(adapter -> adapter.name().equals(name)).findFirst();
    }

    /** The adapter behind a device; empty if that is of another platform. */
    Optional<Adapter> of(RdmaDevice device) {
        return devices.stream().filter(one -> one.getValue().name().equals(device.name()))
                .map(one -> String.valueOf(one.getKey().get(ADDRESS)))
                .flatMap(address -> all().stream().filter(adapter -> adapter.address().toString().equals(address)))
                .findFirst();
    }
}
