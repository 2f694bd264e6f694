package io.manafold.ethernet.internal.function;

import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.Device;
import io.manafold.api.device.DeviceEvent.Kind;
import io.manafold.api.device.EventLog;
import io.manafold.api.device.Offer;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.net.DevicePlan;
import io.manafold.api.net.NetDevice;
import io.manafold.api.shaper.ShaperOps;
import io.manafold.ethernet.internal.port.DriverInfo;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.osgi.annotation.bundle.Capability;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.BundleListener;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;

/**
 * The driver among the services of the framework: the plans it finds there, what it offers, and how all that is called.
 */
@Capability(namespace = "osgi.service", uses = {NetDevice.class, Offer.class},
        attribute = "objectClass:List<String>='io.manafold.api.net.NetDevice,io.manafold.api.device.Offer'")
@Capability(namespace = "osgi.service", uses = ShaperOps.class,
        attribute = "objectClass:List<String>='io.manafold.api.shaper.ShaperOps'")
@Capability(namespace = "osgi.service", uses = AuxiliaryDevice.class,
        attribute = "objectClass:List<String>='io.manafold.api.device.Device,io.manafold.api.device.AuxiliaryDevice'")
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.device.PciFunction)")
final class Services implements ServiceGateway, BundleListener {
    private final BundleContext context;
    private final List<DevicePlan> plans = new CopyOnWriteArrayList<>();
    private final List<FunctionDrive> drives = new CopyOnWriteArrayList<>();
    /** Ids of auxiliary devices that are about to be known. */
    private final Set<String> promised = new HashSet<>();

    Services(BundleContext context) {
        this.context = context;
    }

    void add(DevicePlan plan) {
        plans.add(plan);
        for (FunctionDrive drive : drives) {
            drive.follow(plan);
        }
    }

    void remove(DevicePlan plan) {
        plans.remove(plan);
    }

    void add(FunctionDrive drive) {
        drives.add(drive);
        // one that came while the function was brought up
        for (DevicePlan plan : plans) {
            drive.follow(plan);
        }
    }

    void remove(FunctionDrive drive) {
        drives.remove(drive);
    }

    /** Takes the hooks of bundles that stop away, until {@link #close}. */
    void open() {
        context.addBundleListener(this);
    }

    void close() {
        context.removeBundleListener(this);
    }

    @Override
    public void bundleChanged(BundleEvent event) {
        if (event.getType() == BundleEvent.STOPPED) {
            for (FunctionDrive drive : drives) {
                drive.forgetHooks(event.getBundle());
            }
        }
    }

    /** A port that came too late for the name that its plan wants, or was claimed, may have it now. */
    @Override
    public void nameIsFree() {
        for (DevicePlan plan : plans) {
            for (FunctionDrive drive : drives) {
                drive.follow(plan);
            }
        }
    }

    @Override
    public void tell(Kind kind, String device, String sentence) {
        ServiceReference<EventLog> reference = context.getServiceReference(EventLog.class);
        EventLog events = reference == null ? null : context.getService(reference);
        if (events != null) {
            events.post(kind, device, null, sentence);
            context.ungetService(reference);
        }
    }

    @Override
    public Optional<DevicePlan> plan(PciAddress address, int port) {
        for (DevicePlan plan : plans) {
            if (plan.address().equals(address) && plan.port() == port) {
                return Optional.of(plan);
            }
        }
        return Optional.empty();
    }

    @Override
    public boolean isPlanned(String name) {
        for (DevicePlan plan : plans) {
            if (plan.name().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** Whether another version of this driver is at work. */
    boolean hasDevices() {
        return values(NetDevice.class, "driver").contains(DriverInfo.NAME);
    }

    /** Whether there is something on the bus that may be for this driver. */
    boolean hasFunctions() {
        return context.getServiceReference(PciFunction.class) != null;
    }

    @Override
    public boolean hasDevice(String name) {
        return values(NetDevice.class, "name").contains(name);
    }

    @Override
    public boolean hasIndex(int index) {
        return values(NetDevice.class, "index").contains(index);
    }

    @Override
    public int freeNumber(String part) {
        synchronized (promised) {
            Set<Object> taken = values(AuxiliaryDevice.class, "id");
            int number = 0;
            while (taken.contains(part + "." + number) || !promised.add(part + "." + number)) {
                number++;
            }
            return number;
        }
    }

    private Set<Object> values(Class<?> type, String property) {
        try {
            Set<Object> values = new HashSet<>();
            for (ServiceReference<?> one : context.getServiceReferences(type, null)) {
                values.add(one.getProperty(property));
            }
            return values;
        } catch (InvalidSyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public Runnable publish(NetDevice device, ShaperOps limits) {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("name", device.name());
        properties.put("address", device.address().toString());
        properties.put("port", device.port());
        properties.put("index", device.index());
        properties.put("driver", DriverInfo.NAME);
        properties.put("driver.version", DriverInfo.version());
        // first, so that a bundle that sees the device finds its limits as well
        ServiceRegistration<?> shapers = register(limits, new Hashtable<>(properties), ShaperOps.class);
        return new Offered(register(device, properties, NetDevice.class, Offer.class), shapers);
    }

    @Override
    public Runnable publish(AuxiliaryDevice part) {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("id", part.id());
        properties.put("parent", part.parent());
        try {
            return new Offered(register(part, properties, Device.class, AuxiliaryDevice.class));
        } finally {
            synchronized (promised) {
                promised.remove(part.id());
            }
        }
    }

    private ServiceRegistration<?> register(Object service, Hashtable<String, Object> properties, Class<?>... types) {
        String[] names = new String[types.length];
        for (int i = 0; i < types.length; i++) {
            names[i] = types[i].getName();
        }
        return context.registerService(names, service, properties);
    }

    /** What is offered, until it is run. */
    private record Offered(ServiceRegistration<?>... all) implements Runnable {
        @Override
        public void run() {
            for (ServiceRegistration<?> one : all) {
                try {
                    one.unregister();
                } catch (IllegalStateException gone) {
                    // the framework was faster
                }
            }
        }
    }
}
