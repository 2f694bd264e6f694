package io.manafold.rdma.internal.device;

import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.Binding;
import io.manafold.api.device.DeviceMatch;
import io.manafold.api.device.Driver;
import io.manafold.api.device.Offer;
import io.manafold.api.device.Probe;
import io.manafold.api.inet.Hosts;
import io.manafold.api.net.NetDevices;
import io.manafold.api.net.PortClaims;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.gdma.driver.FunctionSession;
import io.manafold.memory.MemoryBorrower;
import io.manafold.rdma.internal.connection.Timing;
import java.util.Hashtable;
import java.util.List;
import org.osgi.annotation.bundle.Capability;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Drives the RDMA part of functions and raw packets on their Ethernet part, beside the driver of their ports. */
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.device.AuxiliaryDevice)")
@Capability(namespace = "osgi.service", uses = {RdmaDevice.class, Offer.class},
        attribute = "objectClass:List<String>='io.manafold.api.rdma.RdmaDevice,io.manafold.api.device.Offer'")
@Component(service = Driver.class, immediate = true)
public final class RdmaDriver implements Driver {
    private static final String RDMA = "mana.rdma";
    private static final String ETHERNET = "mana.eth";
    /** A property of the framework, or of the process: {@code true} has queues find threads that take turns. */
    private static final String CHECK = "manafold.rdma.check";

    private final BundleContext context;
    private final ConnectionBook connections;
    private final Names names = new Names();
    private volatile Hosts hosts;

    @Activate
    public RdmaDriver(BundleContext context, @Reference ConnectionBook connections) {
        this.context = context;
        this.connections = connections;
    }

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void setHosts(Hosts come) {
        hosts = come;
    }

    void unsetHosts(Hosts gone) {
        if (hosts == gone) {
            hosts = null;
        }
    }

    @Override
    public String name() {
        return "rdma";
    }

    @Override
    public List<DeviceMatch> idTable() {
        return List.of(new DeviceMatch.Auxiliary(RDMA), new DeviceMatch.Auxiliary(ETHERNET));
    }

    @Override
    public Binding probe(Probe probe) {
        AuxiliaryDevice part = probe.device(AuxiliaryDevice.class);
        FunctionSession function = part.lend(FunctionSession.class);
        List<Port> ports = part.lend(NetDevices.class).devices().stream()
                .map(port -> Port.of(port, new HostNeighbours(() -> hosts, port.name()))).toList();
        MemoryBorrower memory = part.lend(MemoryBorrower.class);
        String called = names.take(part.name().equals(RDMA) ? "mana_" : "manae_", ports);
        PartDevice device;
        try {
            device = part.name().equals(RDMA)
                    ? connections.add(new VerbsDevice(part.id(), called, function, memory, ports, connections,
                    Timing.USUAL))
                    : new RawDevice(part.id(), called, part.lend(EthernetSession.class), memory, ports,
                    part.lend(PortClaims.class));
        } catch (RuntimeException refused) {
            names.giveBack(called);
            throw refused;
        }
        if (Boolean.parseBoolean(context.getProperty(CHECK))) {
            device.checkThreads();
        }
        ServiceRegistration<?> offered = offer(device, function, part);
        return why -> {
            device.depart(why);
            // first those who use it get back what they posted, then the service goes
            device.close();
            connections.remove(device);
            try {
                offered.unregister();
            } catch (IllegalStateException gone) {
                // the framework was faster
            }
            names.giveBack(called);
        };
    }

    private ServiceRegistration<?> offer(PartDevice device, FunctionSession function, AuxiliaryDevice part) {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("name", device.name());
        properties.put("address", function.pci().address().toString());
        properties.put("parent", part.id());
        properties.put("driver", name());
        return context.registerService(new String[] {RdmaDevice.class.getName(), Offer.class.getName()},
                new Contexts(device), properties);
    }
}
