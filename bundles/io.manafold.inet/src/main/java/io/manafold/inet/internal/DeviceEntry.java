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
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.annotation.bundle.Capability;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
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
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=org.osgi.service.cm.ConfigurationAdmin)")
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
    private final HostBook book;
    private final Map<PciFunction, Object> functions = new ConcurrentHashMap<>();
    /** What the configuration says by now; {@code null} if that cannot be. */
    private volatile Said said;
    private volatile Optional<DriverOrders.Order> order = Optional.empty();

    /** What follows belongs to the book's looks and, at the end, to the thread that takes the entry away. */
    private ServiceRegistration<DevicePlan> registration;
    private PciFunction planned;
    private Said followed;
    private boolean arrived;

    @Activate
    public DeviceEntry(BundleContext context, Config config, Map<String, Object> properties,
            @Reference HostBook book) {
        this.context = context;
        this.book = book;
        said = Said.of(config, properties);
    }

    @Activate
    void begin() {
        book.add(this);
    }

    /**
     * An entry that says something else is the same one: what its host has given to others and its tap stay, unless
     * they are what has changed.
     */
    @Modified
    void change(Config config, Map<String, Object> properties) {
        try {
            said = Said.of(config, properties);
        } catch (Refusal wrong) {
            said = null;
            throw wrong;
        } finally {
            withdraw();
            book.news();
        }
    }

    /** What was planned is not, at once, so that a lab does not take it for what it wants now. */
    private void withdraw() {
        book.betweenLooks(() -> {
            if (registration != null) {
                registration.unregister();
                registration = null;
            }
            arrived = false;
            followed = null;
        });
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
        if (its.get(NAME) instanceof String adapter) {
            functions.put(come, adapter);
            book.news();
        }
    }

    void removeFunction(PciFunction gone) {
        if (functions.remove(gone) != null) {
            book.news();
        }
    }

    /** What it says by now, or {@code null} if it says nothing that can be. */
    Said said() {
        return said;
    }

    private PciFunction function(Said now) {
        return now == null ? null : functions.entrySet().stream().filter(one -> one.getValue().equals(now.adapter()))
                .map(Map.Entry::getKey).findFirst().orElse(null);
    }

    /** The function it is on and the driver it wants there, if both are known and that driver finds a plan. */
    Optional<DriverOrders.Order> order() {
        return order;
    }

    /**
     * On the book's thread: sees whether there is something to plan, and whether the plan has come true.
     *
     * @param now what it says, or {@code null} if another entry has the name already
     * @param device of its name, or {@code null}
     */
    void look(Said now, NetDevice device) {
        PciFunction function = function(now);
        if (function != planned || now != followed) {
            if (registration != null) {
                registration.unregister();
                registration = null;
                arrived = false;
            }
            planned = function;
            followed = now;
            if (function != null) {
                registration = context.registerService(DevicePlan.class, new Plan(function.address(), now),
                        new Hashtable<>(Map.of(NAME, now.name())));
            }
        }
        Optional<DriverOrders.Order> wanted = registration == null || now.driver() == null ? Optional.empty()
                : Optional.of(new DriverOrders.Order(planned.id(), now.driver()));
        if (!wanted.equals(order)) {
            order = wanted;
            book.orderNews();
        }
        if (registration == null) {
            return;
        }
        boolean there = device != null && device.address().equals(planned.address()) && device.port() == now.port()
                && (!now.up() || device.isUp() || book.isKeptDown(planned.address(), now.port()))
                && (wanted.isEmpty() || !book.isAwaited(wanted.get()));
        if (there != arrived) {
            arrived = there;
            registration.setProperties(new Hashtable<>(there ? now.properties() : Map.of(NAME, now.name())));
        }
    }

    /**
     * What the driver is told.
     *
     * @param address of the function
     */
    private record Plan(PciAddress address, Said said) implements DevicePlan {
        @Override
        public int port() {
            return said.port();
        }

        @Override
        public String name() {
            return said.name();
        }

        @Override
        public Optional<Integer> mtu() {
            return Optional.of(said.mtu());
        }

        @Override
        public boolean up() {
            return said.up();
        }
    }

    /**
     * What a configuration says, read and checked.
     *
     * @param adapter and port: what it is on
     * @param driver {@code null} for any
     */
    record Said(String name, String adapter, int port, int mtu, boolean up, String driver, Optional<String> tap,
            List<IpPrefix> addresses, Optional<DhcpRange> dhcp, Map<String, Object> properties) {
        static Said of(Config config, Map<String, Object> properties) {
            String name = config.name();
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
            Optional<String> tap = given(config.tap());
            List<IpPrefix> addresses = addresses(name, config.addresses());
            return new Said(name, on.substring(0, divide), Integer.parseInt(number), config.mtu(), config.up(),
                    given(config.driver()).orElse(null), tap, addresses,
                    given(config.dhcp()).map(text -> range(name, text, tap, addresses)), properties);
        }

        private static Optional<String> given(String text) {
            return Optional.ofNullable(text).filter(words -> !words.isBlank());
        }

        private static DhcpRange range(String name, String text, Optional<String> tap, List<IpPrefix> addresses) {
            if (tap.isPresent()) {
                throw new Refusal(Errno.EINVAL, "The network device " + name + " has a tap, so the kernel is its host "
                        + "and gives addresses; take out dhcp or tap.");
            }
            try {
                return DhcpRange.parse(text, addresses);
            } catch (IllegalArgumentException wrong) {
                throw new Refusal(Errno.EINVAL, "What " + name + " gives by DHCP: " + wrong.getMessage() + ".", wrong);
            }
        }

        private static List<IpPrefix> addresses(String name, String[] texts) {
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
    }
}
