package io.manafold.failover.internal;

import io.manafold.agent.Agent;
import io.manafold.agent.Mistakes;
import io.manafold.api.adapter.Adapter;
import io.manafold.api.adapter.PortStatus;
import io.manafold.api.agent.DutyCycle;
import io.manafold.api.device.DeviceEvent;
import io.manafold.api.device.EventLog;
import io.manafold.api.device.Offer;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.fabric.Link;
import io.manafold.api.inet.HostPlan;
import io.manafold.api.net.DevicePlan;
import io.manafold.api.net.NetDevice;
import io.manafold.api.net.SyntheticDevice;
import java.time.Duration;
import java.util.Arrays;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
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
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pair that a lab lists: watches for the port's link and network device, and offers the device above them. The plan
 * of the host carries the entry's properties, by which a lab knows that it has arrived: once both ways are there, or
 * after a moment without the virtual function, which may never come.
 */
// no capability for the device above: who asks for network devices wants a driver that needs no other
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.net.NetDevice)")
@Capability(namespace = "osgi.service", uses = HostPlan.class,
        attribute = "objectClass:List<String>='io.manafold.api.inet.HostPlan'")
@Capability(namespace = "osgi.service", uses = SyntheticDevice.class,
        attribute = "objectClass:List<String>='io.manafold.api.net.SyntheticDevice'")
@Capability(namespace = "osgi.service", uses = DevicePlan.class,
        attribute = "objectClass:List<String>='io.manafold.api.net.DevicePlan'")
@Capability(namespace = "osgi.service", uses = Offer.class,
        attribute = "objectClass:List<String>='io.manafold.api.device.Offer'")
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=org.osgi.service.cm.ConfigurationAdmin)")
@Component(service = {}, immediate = true, configurationPid = PairEntry.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = PairConfig.class, factory = true)
public final class PairEntry implements Agent.Work {
    static final String PID = "io.manafold.pair";
    private static final Logger LOG = LoggerFactory.getLogger(PairEntry.class);
    private static final String NAME = "name";
    /** What a lab says of itself in the configurations that it makes. */
    private static final String LAB = "io.manafold.lab";
    private static final int FIRST_INDEX = 2;
    /** A carrier is looked at so often. */
    private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final BundleContext context;
    private final PairConfig config;
    private final PairPort place;
    private final SavedSettings settings;
    private final Map<String, Object> properties;
    private final Agent agent;
    private final Mistakes mistakes;
    private final List<NetDevice> devices = new CopyOnWriteArrayList<>();
    private final Map<Link, Boolean> links = new ConcurrentHashMap<>();
    private volatile EventLog events;
    private volatile Adapter adapter;

    /** What follows belongs to the agent. */
    private Pair pair;
    private PairDevice device;
    private ServiceRegistration<?> offered;
    /** The synthetic device for those who poll it. */
    private ServiceRegistration<?> polled;
    /** The plan of the host above. */
    private ServiceRegistration<?> host;
    /** The plan of the virtual function. */
    private ServiceRegistration<?> below;
    private volatile Pair made;
    private long begun;
    private boolean arrived;

    @Activate
    public PairEntry(BundleContext context, PairConfig config, Map<String, Object> properties,
            @Reference SavedSettings settings) {
        this.context = context;
        this.settings = settings;
        this.config = config;
        this.properties = properties;
        place = PairPort.of(config);
        mistakes = new Mistakes(mistake -> LOG.error("{}: a look at its members failed; further failures of this kind "
                + "are not logged", config.name(), mistake));
        agent = Agent.ofControl("manafold-pair-" + config.name(), this);
    }

    @Activate
    void start() {
        agent.start();
    }

    @Deactivate
    void stop() {
        agent.end(this::finish);
        if (!agent.join(PATIENCE)) {
            LOG.error("{}: its members are held for more than {} s", config.name(), PATIENCE.toSeconds());
        }
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addAdapter(Adapter come) {
        if (come.name().equals(place.adapter())) {
            adapter = come;
            agent.wake();
        }
    }

    void removeAdapter(Adapter gone) {
        if (adapter == gone) {
            adapter = null;
            agent.wake();
        }
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addLink(Link come, Map<String, Object> its) {
        if (its.get(Link.PORTS) instanceof String[] ports && Arrays.asList(ports).contains(config.port())) {
            links.put(come, true);
            agent.wake();
        }
    }

    void removeLink(Link gone) {
        if (links.remove(gone) != null) {
            Pair now = made;
            if (now != null) {
                now.gone(gone);
            }
            agent.wake();
        }
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addDevice(NetDevice come) {
        devices.add(come);
        agent.wake();
    }

    void removeDevice(NetDevice gone) {
        devices.remove(gone);
        Pair now = made;
        if (now != null) {
            now.gone(gone);
        }
    }

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void setEvents(EventLog log) {
        events = log;
    }

    void unsetEvents(EventLog log) {
        if (events == log) {
            events = null;
        }
    }

    // ---- on the agent

    @Override
    public int doWork() {
        Adapter there = adapter;
        if (there == null) {
            takeBack();
            return 0;
        }
        if (pair == null) {
            make(there);
        }
        if (pair != null) {
            pair.look(links.keySet().stream().findFirst().orElse(null), member());
            arrive();
        }
        return 0;
    }

    private void make(Adapter there) {
        PortStatus port = there.ports().stream().filter(one -> one.name().equals(config.port())).findFirst()
                .orElse(null);
        if (port == null) {
            return;
        }
        PairPlan plan = new PairPlan(config.name(), config.port(), there.address(), place.number(), port.mac(),
                config.mtu(), config.up());
        pair = new Pair(plan, this::tell, new PairSettings(settings, subject(SavedSettings.PORT), plan));
        made = pair;
        begun = System.nanoTime();
        device = new PairDevice(plan, freeIndex(), pair, this::subject);
        host = context.registerService(HostPlan.class, new PairHostPlan(config.name(), place.addresses(),
                place.tap()), new Hashtable<>(Map.of(NAME, config.name())));
        offered = context.registerService(new String[] {NetDevice.class.getName(), Offer.class.getName()}, device,
                new Hashtable<>(own()));
        polled = context.registerService(SyntheticDevice.class, new SyntheticEnd(plan, pair, device, this::isReported),
                new Hashtable<>(Map.of(NAME, plan.name(), "address", plan.address().toString())));
        below = context.registerService(DevicePlan.class, new VfPlan(plan, this::isAssociated),
                new Hashtable<>(Map.of(NAME, plan.vf())));
    }

    private String subject(String about) {
        return place.subject(about, properties.get(LAB) instanceof String lab ? lab : null);
    }

    private Map<String, Object> own() {
        return Map.of(NAME, device.name(), "address", device.address().toString(), "port", device.port(), "driver",
                PairDevice.DRIVER, "index", device.index());
    }

    private int freeIndex() {
        int index = FIRST_INDEX;
        while (isTaken(index)) {
            index++;
        }
        return index;
    }

    private boolean isTaken(int index) {
        return devices.stream().anyMatch(one -> one.index() == index);
    }

    /** Whether the synthetic device was told of the serial number that the function has. */
    private boolean isAssociated() {
        Adapter there = adapter;
        return there == null || there.serial() == there.announced();
    }

    /** Whether the host tells that the function is there, with the serial number that it has. */
    private boolean isReported() {
        Adapter there = adapter;
        return there != null && isAssociated() && !there.state().equals("revoked");
    }

    /** The port's network device, once it knows whose it is. */
    private NetDevice member() {
        for (NetDevice one : devices) {
            if (one != device && one.port() == place.number() && one.address().equals(device.address())
                    && one.master().equals(config.name())) {
                return one;
            }
        }
        return null;
    }

    private void arrive() {
        boolean whole = pair.hasLink() && (pair.path() == Path.VF || !pair.isUp()
                || System.nanoTime() - begun > GRACE_NANOS);
        if (whole && !arrived) {
            arrived = true;
            host.setProperties(new Hashtable<>(properties));
        }
    }

    private void tell(String sentence) {
        EventLog log = events;
        if (log != null) {
            log.post(DeviceEvent.Kind.PATH_SWITCHED, device == null ? null : device.offeredBy(), null, sentence);
        }
    }

    @Override
    public long restNanos() {
        return pair == null ? DutyCycle.UNTIL_WOKEN : GLANCE_NANOS;
    }

    @Override
    public void failed(Throwable mistake) {
        mistakes.log(mistake);
    }

    private void takeBack() {
        Pair former = pair;
        if (former == null) {
            return;
        }
        // first, so that no application polls it when the pair ends
        polled.unregister();
        below.unregister();
        offered.unregister();
        host.unregister();
        made = null;
        pair = null;
        device = null;
        arrived = false;
        former.close();
    }

    private void finish() {
        try {
            takeBack();
        } catch (IllegalStateException stopping) {
            // the framework was faster
            Pair former = pair;
            if (former != null) {
                former.close();
            }
        }
    }
}
