package io.manafold.ethernet.internal;

import io.manafold.agent.Agent;
import io.manafold.api.device.AuxiliaryDevice;
import io.manafold.api.device.Binding;
import io.manafold.api.device.Device;
import io.manafold.api.device.DeviceMatch;
import io.manafold.api.device.Driver;
import io.manafold.api.device.Offer;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.device.Probe;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.net.DevicePlan;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.ReceiveMapping;
import io.manafold.api.shaper.ShaperOps;
import java.time.Duration;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives the adapter's functions as network devices. While one version of it makes room for another no device is there: on
 * the way to the first packet plain loops stand where each lambda would be one more class to make.
 */
@Component(service = Driver.class, immediate = true, configurationPid = "io.manafold.ethernet")
@Designate(ocd = EthernetDriver.Config.class)
public final class EthernetDriver implements Driver {
    static final String NAME = "ethernet";
    private static final String PARITY = "parity";
    private static final Logger LOG = LoggerFactory.getLogger(EthernetDriver.class);
    private static final int VENDOR = 0x1414;
    private static final int VIRTUAL = 0x00ba;
    private static final int PHYSICAL = 0x00b9;

    private final BundleContext context;
    private final Surroundings around;
    private final List<DevicePlan> plans = new CopyOnWriteArrayList<>();
    private final List<FunctionDrive> drives = new CopyOnWriteArrayList<>();
    /** Ids of auxiliary devices that are about to be known. */
    private final Set<String> promised = new HashSet<>();

    /** How patient the driver is. */
    @ObjectClassDefinition(name = "Manafold Ethernet driver")
    public @interface Config {
        @AttributeDefinition(description = "How often counters of the host are asked for, in milliseconds.")
        long statistics_interval() default 2_000;

        @AttributeDefinition(description = "After how long a send that was not completed has its port reset, in "
                + "milliseconds.")
        long send_limit() default 15_000;

        @AttributeDefinition(description = "How long a function that has been reset is left alone before it is brought "
                + "up again, in milliseconds.")
        long revival_pause() default 100;

        @AttributeDefinition(description = "When receive pages are made reachable, unless a device was told "
                + "otherwise: arena (once, with all memory), page (once each), packet (for each packet as far as it "
                + "reaches), whole-page (for each packet, all of its page).",
                options = {@Option("arena"), @Option("page"), @Option("packet"), @Option("whole-page")})
        String mapping() default "arena";

        @AttributeDefinition(description = "What limits on sending can be: full (trees of shapers, where the adapter has "
                + "them) or parity (one clamp of a port, as the Linux driver has it).",
                options = {@Option("full"), @Option("parity")})
        String shapers() default "full";
    }

    @Activate
    public EthernetDriver(BundleContext context, Config config, @Reference SavedSettings settings) {
        this.context = context;
        Devices devices = new Devices(this::isTaken, this::isPlanned, this::publish);
        devices.onFreed(this::nameIsFree);
        around = new Surroundings(devices, settings, this::plan, this::publish,
                this::freeNumber, new Patience(Duration.ofMillis(config.statistics_interval()),
                Duration.ofMillis(config.send_limit()), Duration.ofMillis(config.revival_pause())), Agent::new,
                mapping(config), !PARITY.equals(config.shapers()));
    }

    private static ReceiveMapping mapping(Config config) {
        for (ReceiveMapping one : ReceiveMapping.values()) {
            if (one.word().equals(config.mapping())) {
                return one;
            }
        }
        LOG.warn("Receive pages cannot be mapped as '{}': choose arena, page, packet or whole-page. They are mapped with"
                + " the arena.", config.mapping());
        return ReceiveMapping.ARENA;
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addPlan(DevicePlan plan) {
        plans.add(plan);
        drives.forEach(drive -> drive.follow(plan));
    }

    void removePlan(DevicePlan plan) {
        plans.remove(plan);
    }

    private Optional<DevicePlan> plan(PciAddress address, int port) {
        for (DevicePlan plan : plans) {
            if (plan.address().equals(address) && plan.port() == port) {
                return Optional.of(plan);
            }
        }
        return Optional.empty();
    }

    /** The version of this driver's bundle. */
    static String version() {
        var bundle = FrameworkUtil.getBundle(EthernetDriver.class);
        return bundle == null ? "" : bundle.getVersion().toString();
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
        PciFunction function = probe.device(PciFunction.class);
        around.devices().turns().begin(function.address());
        FunctionDrive drive;
        try {
            drive = FunctionDrive.begin(function, around);
        } finally {
            around.devices().turns().end(function.address());
        }
        drives.add(drive);
        // one that came while the function was brought up
        plans.forEach(drive::follow);
        return why -> {
            drives.remove(drive);
            drive.remove(why);
        };
    }

    /** Whoever came too late for the name that its plan wants may have it now. */
    private void nameIsFree() {
        plans.forEach(plan -> drives.forEach(drive -> drive.follow(plan)));
    }

    private boolean isPlanned(String name) {
        for (DevicePlan plan : plans) {
            if (plan.name().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private boolean isTaken(String name) {
        return references(NetDevice.class, "name").contains(name);
    }

    private int freeNumber(String part) {
        synchronized (promised) {
            Set<Object> taken = references(AuxiliaryDevice.class, "id");
            int number = 0;
            while (taken.contains(part + "." + number) || !promised.add(part + "." + number)) {
                number++;
            }
            return number;
        }
    }

    private Set<Object> references(Class<?> type, String property) {
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

    private Runnable publish(io.manafold.ethernet.internal.Device device) {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("name", device.name());
        properties.put("address", device.address().toString());
        properties.put("port", device.port());
        properties.put("driver", NAME);
        properties.put("driver.version", version());
        // first, so that whoever sees the device finds its limits as well
        Runnable shapersEnd = register(device.shapers(), new Hashtable<>(properties), ShaperOps.class.getName());
        Runnable end = register(device, properties, NetDevice.class.getName(), Offer.class.getName());
        return () -> {
            end.run();
            shapersEnd.run();
        };
    }

    private Runnable publish(AuxiliaryDevice part) {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("id", part.id());
        properties.put("parent", part.parent());
        try {
            return register(part, properties, Device.class.getName(), AuxiliaryDevice.class.getName());
        } finally {
            synchronized (promised) {
                promised.remove(part.id());
            }
        }
    }

    private Runnable register(Object service, Hashtable<String, Object> properties, String... types) {
        ServiceRegistration<?> registration = context.registerService(types, service, properties);
        return () -> {
            try {
                registration.unregister();
            } catch (IllegalStateException gone) {
                // the framework was faster
            }
        };
    }
}
