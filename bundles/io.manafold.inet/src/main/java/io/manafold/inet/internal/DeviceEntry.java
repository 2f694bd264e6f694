package io.manafold.inet.internal;

import io.manafold.api.device.PciAddress;
import io.manafold.api.device.PciFunction;
import io.manafold.api.inet.IpPrefix;
import io.manafold.api.net.DevicePlan;
import io.manafold.api.net.NetDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.osgi.annotation.bundle.Capability;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/**
 * One network device that a lab lists: a plan for the driver once the function is there, and addresses for its host.
 * The plan's service carries the entry's properties, by which a lab knows that it has arrived, while the device is
 * there and as it should be.
 */
@Capability(namespace = "osgi.service", uses = DevicePlan.class,
        attribute = "objectClass:List<String>='io.manafold.api.net.DevicePlan'")
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.net.NetDevice)")
@Component(service = {}, immediate = true, configurationPid = DeviceEntry.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = DeviceEntry.Config.class, factory = true)
public final class DeviceEntry {
    static final String PID = "io.manafold.device";
    private static final String NAME = "name";

    /** What a configuration says. */
    @ObjectClassDefinition(name = "Manafold network device", description = "The driver's end of a port.")
    public @interface Config {
        @AttributeDefinition(description = "What the network device is called.")
        String name();

        @AttributeDefinition(description = "The port it drives: adapter/port, counted from 1.")
        String on();

        @AttributeDefinition(required = false, description = "The only driver allowed, perhaps with its version.")
        String driver();

        @AttributeDefinition(description = "The longest packet it sends, in bytes.")
        int mtu() default 1500;

        @AttributeDefinition(required = false, description = "Its addresses with their prefix lengths.")
        String[] addresses() default {};

        @AttributeDefinition(description = "Whether it is up.")
        boolean up() default true;

        @AttributeDefinition(required = false, description = "The tap interface that leads to the kernel behind it.")
        String tap();

        @AttributeDefinition(required = false, description = "The addresses it gives to others by DHCP: first-last.")
        String dhcp();
    }

    private final BundleContext context;
    private final Map<String, Object> properties;
    private final HostBook book;
    private final String name;
    private final String adapter;
    private final int port;
    private final int mtu;
    private final boolean up;
    private final String driver;
    private final String tap;
    private final List<IpPrefix> addresses;
    private final DhcpRange dhcp;
    private volatile PciFunction function;

    /** Both belong to the book's thread and, at the end, to the thread that takes the entry away. */
    private ServiceRegistration<DevicePlan> registration;
    private PciFunction planned;
    private boolean arrived;

    @Activate
    public DeviceEntry(BundleContext context, Config config, Map<String, Object> properties,
            @Reference HostBook book) {
        this.context = context;
        this.properties = properties;
        this.book = book;
        name = config.name();
        if (name == null || name.isBlank()) {
            throw new Refusal(Errno.EINVAL, "A network device needs a name.");
        }
        String on = config.on() == null ? "" : config.on();
        int divide = on.lastIndexOf('/');
        String number = on.substring(divide + 1);
        if (divide <= 0 || !number.matches("[1-9][0-9]{0,4}")) {
            throw new Refusal(Errno.EINVAL, "The network device " + name + " is on no port: '" + on
                    + "' is not an adapter and a port, as in one/1.");
        }
        adapter = on.substring(0, divide);
        port = Integer.parseInt(number);
        mtu = config.mtu();
        up = config.up();
        driver = config.driver() == null || config.driver().isBlank() ? null : config.driver();
        tap = config.tap() == null || config.tap().isBlank() ? null : config.tap();
        addresses = addresses(config.addresses());
        dhcp = config.dhcp() == null || config.dhcp().isBlank() ? null : range(config.dhcp());
    }

    private DhcpRange range(String text) {
        if (tap != null) {
            throw new Refusal(Errno.EINVAL, "The network device " + name + " has a tap, so the kernel is its host and "
                    + "gives addresses; take out dhcp or tap.");
        }
        try {
            return DhcpRange.parse(text, addresses);
        } catch (IllegalArgumentException wrong) {
            throw new Refusal(Errno.EINVAL, "What " + name + " gives by DHCP: " + wrong.getMessage() + ".", wrong);
        }
    }

    private List<IpPrefix> addresses(String[] texts) {
        List<IpPrefix> read = new ArrayList<>();
        for (String text : texts == null ? new String[0] : texts) {
            try {
                read.add(IpPrefix.parse(text));
            } catch (IllegalArgumentException wrong) {
                throw new Refusal(Errno.EINVAL, "An address of " + name + ": " + wrong.getMessage() + ".", wrong);
            }
        }
        return read;
    }

    @Activate
    void begin() {
        book.add(this);
    }

    @Deactivate
    void end() {
        book.remove(this);
        if (registration != null) {
            registration.unregister();
        }
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addFunction(PciFunction come, Map<String, Object> its) {
        if (adapter.equals(its.get(NAME))) {
            function = come;
            book.news();
        }
    }

    void removeFunction(PciFunction gone) {
        if (function == gone) {
            function = null;
            book.news();
        }
    }

    String name() {
        return name;
    }

    List<IpPrefix> addresses() {
        return addresses;
    }

    Optional<DhcpRange> dhcp() {
        return Optional.ofNullable(dhcp);
    }

    Optional<String> tap() {
        return Optional.ofNullable(tap);
    }

    /** The function it is on and the driver it wants there, if both are known. */
    Optional<DriverOrders.Order> order() {
        PciFunction now = function;
        return now == null || driver == null ? Optional.empty()
                : Optional.of(new DriverOrders.Order(now.id(), driver));
    }

    /** On the book's thread: sees whether there is something to plan, and whether the plan has come true. */
    void look(NetDevice device) {
        PciFunction now = function;
        if (now != planned) {
            if (registration != null) {
                registration.unregister();
                registration = null;
                arrived = false;
            }
            planned = now;
            if (now != null) {
                registration = context.registerService(DevicePlan.class, new Plan(now.address()),
                        new Hashtable<>(Map.of(NAME, name)));
            }
        }
        if (registration == null) {
            return;
        }
        boolean there = device != null && device.address().equals(planned.address()) && device.port() == port
                && (!up || device.isUp() || book.isKeptDown(planned.address(), port));
        if (there != arrived) {
            arrived = there;
            registration.setProperties(new Hashtable<>(there ? properties : Map.of(NAME, name)));
        }
    }

    /** What the driver is told. */
    private final class Plan implements DevicePlan {
        private final PciAddress address;

        Plan(PciAddress address) {
            this.address = address;
        }

        @Override
        public PciAddress address() {
            return address;
        }

        @Override
        public int port() {
            return port;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Optional<Integer> mtu() {
            return Optional.of(mtu);
        }

        @Override
        public boolean up() {
            return up;
        }
    }
}
