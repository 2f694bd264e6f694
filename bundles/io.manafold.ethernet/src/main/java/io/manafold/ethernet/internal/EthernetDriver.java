package io.manafold.ethernet.internal;

import io.manafold.api.device.Binding;
import io.manafold.api.device.DeviceMatch;
import io.manafold.api.device.Driver;
import io.manafold.api.device.Offer;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.Probe;
import io.manafold.api.net.NetDevice;
import java.util.Collection;
import java.util.Hashtable;
import java.util.List;
import org.osgi.framework.BundleContext;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/** Drives the adapter's functions as network devices. */
@Component(service = Driver.class, immediate = true)
public final class EthernetDriver implements Driver {
    static final String NAME = "ethernet";
    private static final int VENDOR = 0x1414;
    private static final int VIRTUAL = 0x00ba;
    private static final int PHYSICAL = 0x00b9;

    private final BundleContext context;
    private final Devices devices;

    @Activate
    public EthernetDriver(BundleContext context) {
        this.context = context;
        devices = new Devices(this::isTaken, this::publish);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<DeviceMatch> idTable() {
        return List.of(new DeviceMatch.Pci(VENDOR, VIRTUAL), new DeviceMatch.Pci(VENDOR, PHYSICAL));
    }

    @Override
    public Binding probe(Probe probe) {
        return FunctionDrive.begin(probe.device(PciFunction.class), devices);
    }

    private boolean isTaken(String name) {
        try {
            Collection<ServiceReference<NetDevice>> all = context.getServiceReferences(NetDevice.class, null);
            return all.stream().anyMatch(one -> name.equals(one.getProperty("name")));
        } catch (InvalidSyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private Runnable publish(Device device) {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("name", device.name());
        properties.put("address", device.address().toString());
        properties.put("port", device.port());
        properties.put("driver", NAME);
        properties.put("driver.version", context.getBundle().getVersion().toString());
        ServiceRegistration<?> registration = context.registerService(
                new String[] {NetDevice.class.getName(), Offer.class.getName()}, device, properties);
        return () -> {
            try {
                registration.unregister();
            } catch (IllegalStateException gone) {
                // the framework was faster
            }
        };
    }
}
