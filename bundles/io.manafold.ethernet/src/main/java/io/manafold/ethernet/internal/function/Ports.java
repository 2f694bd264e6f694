package io.manafold.ethernet.internal.function;

import io.manafold.agent.Agent;
import io.manafold.api.device.PciAddress;
import io.manafold.api.device.SavedSettings;
import io.manafold.api.net.DevicePlan;
import io.manafold.api.net.PortClaims;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.NotKept;
import io.manafold.api.refusal.Refusal;
import io.manafold.ethernet.internal.port.EthernetDevice;
import io.manafold.ethernet.internal.port.HostCounters;
import io.manafold.ethernet.internal.port.KeptConfig;
import io.manafold.ethernet.internal.port.KeptSettings;
import io.manafold.ethernet.internal.port.PortControl;
import io.manafold.ethernet.internal.port.PortLife;
import io.manafold.ethernet.internal.port.PortRules;
import io.manafold.ethernet.internal.port.PortStatistics;
import io.manafold.ethernet.internal.queue.Port;
import io.manafold.ethernet.internal.queue.PortConfig;
import io.manafold.ethernet.internal.queue.PortCounters;
import io.manafold.ethernet.internal.user.DeviceAgent;
import io.manafold.ethernet.internal.user.FailureListener;
import io.manafold.gdma.Limits;
import io.manafold.gdma.driver.EthernetSession;
import io.manafold.memory.MemoryBorrower;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ports of a function as network devices. */
final class Ports implements PortClaims {
    private static final Logger LOG = LoggerFactory.getLogger(Ports.class);

    /** The word under which a port's name is kept. */
    private static final String NAME = "name";

    private final PciAddress address;
    private final MemoryBorrower memory;
    private final DriverContext context;
    private final FunctionCounters counters;
    private final HostCounters host;
    private final FailureListener failures;
    private volatile boolean linked = true;
    private final List<EthernetDevice> devices = new CopyOnWriteArrayList<>();
    /** Ports whose device had to go and was refused under another name, and where it will be. */
    private final Map<Integer, Away> away = new ConcurrentHashMap<>();

    Ports(PciAddress address, MemoryBorrower memory, DriverContext context, FunctionCounters counters,
            HostCounters host, FailureListener failures) {
        this.address = address;
        this.memory = memory;
        this.context = context;
        this.counters = counters;
        this.host = host;
        this.failures = failures;
    }

    List<EthernetDevice> devices() {
        return devices;
    }

    /** Makes a device of each port; they are not registered yet. */
    void bringUp(EthernetSession session) {
        List<Devices.Place> places = places(session.vports().size());
        try {
            for (int i = 0; i < places.size(); i++) {
                EthernetDevice device = bringUp(port(session, i), places.get(i), false);
                devices.add(device);
                tellLink(device);
            }
        } catch (RuntimeException refused) {
            // those of the ports that came up go with them
            places.subList(devices.size(), places.size()).forEach(place -> context.devices().giveBack(place.name()));
            throw refused;
        }
    }

    /** The names of all ports, taken before any of them is brought up, when it is this function's turn. */
    private List<Devices.Place> places(int ports) {
        NamingOrder naming = context.devices().naming();
        naming.await(address);
        try {
            Set<String> former = new HashSet<>();
            for (int port = 1; port <= ports; port++) {
                former.add(settings(port).kept().get(NAME));
            }
            List<Devices.Place> places = new ArrayList<>();
            for (int port = 1; port <= ports; port++) {
                places.add(place(port, former));
            }
            return places;
        } finally {
            naming.end(address);
        }
    }

    private Devices.Place place(int port, Set<String> reserved) {
        Optional<DevicePlan> wanted = context.services().plan(address, port);
        return context.devices().take(wanted.isPresent() ? wanted.get().name() : null, settings(port).kept().get(NAME),
                reserved);
    }

    private KeptSettings settings(int port) {
        return new KeptSettings(context.settings(), context.settings().subject(SavedSettings.PORT, address, port));
    }

    private Port port(EthernetSession session, int index) {
        return new Port(session, index, session.vports().get(index), context.trees()
                && session.function().hasShaperTrees());
    }

    /** @param later whether what is refused now may be had later, so that no setting is forgotten for it */
    private EthernetDevice bringUp(Port port, Devices.Place place, boolean later) {
        KeptSettings settings = settings(port.index() + 1);
        Optional<DevicePlan> plan = context.services().plan(address, port.index() + 1);
        String name = place.name();
        PortRules rules = new PortRules(name, port.maxMtu(), port.maxChannels(), port.vport().indirection(),
                port.mostFrames(), port.moderatesEvents());
        boolean outdated = settings.follow(LabSettings.of(plan));
        PortConfig preset = follow(preset(port), plan, rules);
        Map<String, String> unfit = new TreeMap<>();
        PortConfig config = KeptConfig.take(settings.kept(), rules, preset, unfit);
        for (Map.Entry<String, String> one : unfit.entrySet()) {
            drop(settings, name, one.getKey(), one.getValue());
        }
        DeviceAgent agent = new DeviceAgent(name, new Agents(context.services()), memory, context.devices(), failures);
        PortLife life = new PortLife(name, port, config,
                new PortCounters(port.maxChannels(), counters.port(port.index() + 1)), memory, agent);
        PortControl control = new PortControl(name, life, rules, settings,
                new LabSettings(context.services(), address, port.index() + 1));
        EthernetDevice device = new EthernetDevice(name, place.index(), address, life, control,
                new PortStatistics(life, host), new Master(context.services(), address, port.index() + 1));
        agent.start();
        try {
            begin(control, config, later ? config : preset, rules);
        } catch (RuntimeException refused) {
            agent.close(List.of());
            throw refused;
        }
        keep(settings, life.config(), plan.isEmpty() ? name : null, outdated || !unfit.isEmpty());
        return device;
    }

    /**
     * A port without a device.
     *
     * @param place where its device will be found
     * @param former of the device that was there
     */
    private record Away(Devices.Place place, DeviceAgent former) {
    }

    /** The device above, by the port's plan. */
    private record Master(ServiceGateway services, PciAddress address, int port) implements Supplier<String> {
        @Override
        public String get() {
            Optional<DevicePlan> plan = services.plan(address, port);
            return plan.isPresent() ? plan.get().master() : "";
        }
    }

    private record Agents(ServiceGateway services) implements BiFunction<String, Agent.Work, Agent> {
        @Override
        public Agent apply(String name, Agent.Work work) {
            return services.agent(name, work);
        }
    }

    /** Settings of long ago may be more than there is memory for today, or than a new firmware can. */
    private static void begin(PortControl control, PortConfig config, PortConfig preset, PortRules rules) {
        try {
            control.become(config);
        } catch (Refusal refused) {
            if (config.equals(preset)) {
                throw refused;
            }
            control.become(preset);
            beginByWord(control, preset, rules);
        }
    }

    /** Takes up one setting after the other: what the device refuses drops itself alone. */
    private static void beginByWord(PortControl control, PortConfig preset, PortRules rules) {
        Map<String, String> accepted = new TreeMap<>();
        for (String word : KeptConfig.words()) {
            String value = control.settings().kept().get(word);
            if (value == null) {
                continue;
            }
            accepted.put(word, value);
            try {
                control.become(KeptConfig.take(accepted, rules, preset, new TreeMap<>()));
            } catch (Refusal refused) {
                accepted.remove(word);
                drop(control.settings(), rules.device(), word, refused.getMessage());
                control.become(KeptConfig.take(accepted, rules, preset, new TreeMap<>()));
            }
        }
    }

    private static void drop(KeptSettings settings, String name, String word, String why) {
        LOG.warn("{}: its setting '{} {}' is not taken up and is forgotten: {}", name, word, settings.kept().get(word),
                why);
        settings.drop(word);
    }

    /**
     * A key is as random as it was at first: flows stay where they are when a driver is replaced. So does a name.
     *
     * @param name {@code null} if it is not the port's own
     */
    private static void keep(KeptSettings settings, PortConfig config, String name, boolean changed) {
        boolean named = name == null || name.equals(settings.kept().get(NAME));
        boolean keyed = settings.has(KeptConfig.KEY);
        if (keyed && settings.has(SavedSettings.DRIVER + KeptConfig.KEY) && named && !changed) {
            return;
        }
        if (!keyed || !settings.has(SavedSettings.DRIVER + KeptConfig.KEY)) {
            settings.note(KeptConfig.KEY, KeptConfig.key(config));
        }
        if (!named) {
            settings.note(NAME, name);
        }
        keep(settings);
    }

    private static void keep(KeptSettings settings) {
        try {
            settings.keep();
        } catch (NotKept unkept) {
            LOG.warn("{}", unkept.getMessage());
        }
    }

    private PortConfig preset(Port port) {
        byte[] key = new byte[Limits.HASH_KEY];
        new SecureRandom().nextBytes(key);
        PortConfig usual = PortConfig.usual(Math.min(Math.min(port.maxChannels(), Limits.DEFAULT_QUEUES),
                Runtime.getRuntime().availableProcessors()), key);
        return usual.withMapping(context.mapping()).withModeration(port.moderatesEvents()
                ? PortConfig.Moderations.ADAPTIVE : PortConfig.Moderations.OFF);
    }

    private static PortConfig follow(PortConfig config, Optional<DevicePlan> plan, PortRules rules) {
        if (plan.isEmpty()) {
            return config;
        }
        PortConfig planned = config.withUp(plan.get().up());
        if (plan.get().mtu().isPresent()) {
            try {
                return rules.mtu(planned, plan.get().mtu().get());
            } catch (Refusal refused) {
                LOG.warn("The plan for {} is not followed: {}", rules.device(), refused.getMessage());
            }
        }
        return planned;
    }

    void publish() {
        for (EthernetDevice device : devices) {
            context.devices().publish(device);
        }
    }

    void withdraw() {
        for (EthernetDevice device : devices) {
            context.devices().withdraw(device);
        }
    }

    /** Ends all of them. {@code answers}: whether the function is there and may still be asked. */
    void close(BooleanSupplier answers) {
        RuntimeException held = null;
        for (EthernetDevice device : devices) {
            try {
                close(device, answers.getAsBoolean());
            } catch (RuntimeException refused) {
                LOG.error("{} is not ended cleanly: {}", device.name(), refused.getMessage());
                held = refused;
            }
        }
        away.values().forEach(port -> context.devices().giveBack(port.place().name()));
        if (held != null) {
            throw held;
        }
    }

    private void close(EthernetDevice device, boolean answers) {
        device.life().lock().lock();
        try {
            device.life().close(answers);
        } finally {
            device.life().lock().unlock();
            keepCounters(device);
            context.devices().giveBack(device.name());
        }
    }

    /** Has the next driver of the function find what its ports have counted. */
    void keepCounters() {
        for (EthernetDevice device : devices) {
            keepCounters(device);
        }
    }

    private void keepCounters(EthernetDevice device) {
        counters.keepPort(device.port(), device.life().counters().values());
    }

    /** Buffers of all its ports that users have. */
    long buffersOut() {
        long out = 0;
        for (EthernetDevice device : devices) {
            out += device.life().buffersOut();
        }
        return out;
    }

    /** Keeps administrators from changing a port until {@link #unlock}. */
    void lock() {
        devices.forEach(device -> device.life().lock().lock());
    }

    void unlock() {
        devices.forEach(device -> device.life().lock().unlock());
    }

    /** The function is about to forget all queues. With all locks held. */
    void suspend() {
        for (int i = 0; i < devices.size(); i++) {
            try {
                devices.get(i).life().suspend();
            } catch (RuntimeException held) {
                devices.subList(0, i).forEach(device -> device.life().stay());
                throw held;
            }
        }
    }

    /**
     * Another life of the function, whose links are up until it says something else. With all locks held.
     *
     * @throws Refusal {@code EPROTO} if that has other ports
     */
    void resume(EthernetSession session) {
        if (session.vports().size() != count()) {
            throw new Refusal(Errno.EPROTO, address + " had " + count() + " ports before it was reset and has "
                    + session.vports().size() + " now; unbind it and bind it again.");
        }
        // before the first question: to answer one a function may tell that its links are down
        link(true);
        for (EthernetDevice device : devices) {
            device.control().resume(port(session, device.port() - 1));
        }
    }

    /** How many ports there are. */
    private int count() {
        return devices.size() + away.size();
    }

    /** Tries again to make the devices that were refused when they should get other names. On the control agent. */
    void bringBack(EthernetSession session) {
        for (Map.Entry<Integer, Away> one : away.entrySet()) {
            try {
                Away port = one.getValue();
                // the device before may have queues of the adapter until its user lets go
                bringBack(bringUp(port(session, one.getKey() - 1), port.place(), port.former().isAlive()));
            } catch (Refusal refused) {
                LOG.debug("Port {} of {} does not come back yet: {}", one.getKey(), address, refused.getMessage());
            }
        }
    }

    private void bringBack(EthernetDevice device) {
        int at = 0;
        while (at < devices.size() && devices.get(at).port() < device.port()) {
            at++;
        }
        devices.add(at, device);
        away.remove(device.port());
        tellLink(device);
        context.devices().publish(device);
        // a plan may have come meanwhile, for this port or for the name that it has got
        context.services().nameIsFree();
    }

    /** All links of the function have come or gone. Any thread. */
    synchronized void link(boolean up) {
        linked = up;
        devices.forEach(this::tellLink);
    }

    private synchronized void tellLink(EthernetDevice device) {
        device.control().link(linked);
    }

    /** Whether the links of the function are up. */
    boolean isLinked() {
        return linked;
    }

    /** A plan has come: what no administrator has set becomes as it says. */
    void follow(EthernetSession session, DevicePlan plan) {
        EthernetDevice device = devices.stream().filter(one -> one.port() == plan.port()).findFirst().orElse(null);
        if (device == null) {
            if (!away.containsKey(plan.port())) {
                LOG.warn("A plan says that {} is port {} of {}, which has {} ports", plan.name(), plan.port(), address,
                        count());
            }
        } else if (!plan.name().equals(device.name()) && context.devices().isFree(plan.name())) {
            rename(session, device);
        } else {
            follow(device, plan);
        }
    }

    /** What was set by hand is looked at with the port's lock held: an administrator may be setting something. */
    private static void follow(EthernetDevice device, DevicePlan plan) {
        KeptSettings settings = device.control().settings();
        boolean[] outdated = new boolean[1];
        try {
            device.control().follow((config, rules) -> {
                outdated[0] = settings.follow(LabSettings.of(Optional.of(plan)));
                PortConfig planned = follow(config, Optional.of(plan), rules);
                planned = settings.has(KeptConfig.UP) ? planned.withUp(config.up()) : planned;
                return settings.has(KeptConfig.MTU) ? planned.withMtu(config.mtu()) : planned;
            });
        } finally {
            if (outdated[0]) {
                LOG.info("{}: its lab's file says something else than when it was set by hand; the file holds",
                        device.name());
                keep(settings);
            }
        }
    }

    boolean has(String name) {
        return devices.stream().anyMatch(device -> device.name().equals(name));
    }

    /**
     * A device that bears a name which a plan wants for another port takes another one, unless it is meant to have it.
     */
    void makeWay(EthernetSession session, DevicePlan plan) {
        for (EthernetDevice device : devices) {
            boolean own = plan.address().equals(address) && plan.port() == device.port();
            if (!own && device.name().equals(plan.name()) && !isMeant(device)) {
                rename(session, device);
            }
        }
    }

    private boolean isMeant(EthernetDevice device) {
        return context.services().plan(address, device.port()).filter(plan -> plan.name().equals(device.name()))
                .isPresent();
    }

    /**
     * A device cannot change its name while users know it: it goes, and comes with another.
     *
     * @throws Refusal {@code EBUSY} while its port is claimed; else what the function says, or {@code ETIMEDOUT} while
     *         a user above holds the device's thread, and it is tried again with each tick
     */
    private void rename(EthernetSession session, EthernetDevice device) {
        device.control().leave();
        context.devices().withdraw(device);
        try {
            close(device, true);
        } catch (RuntimeException held) {
            leaveAway(device, place(device.port(), Set.of()));
            throw held;
        }
        Devices.Place place = place(device.port(), Set.of());
        EthernetDevice renamed;
        try {
            renamed = bringUp(port(session, device.port() - 1), place, false);
        } catch (RuntimeException refused) {
            leaveAway(device, place);
            throw refused;
        }
        devices.set(devices.indexOf(device), renamed);
        tellLink(renamed);
        context.devices().publish(renamed);
    }

    /** The function goes on without a device that is not back where it will be. */
    private void leaveAway(EthernetDevice device, Devices.Place place) {
        away.put(device.port(), new Away(place, device.life().agent()));
        devices.remove(device);
    }

    @Override
    public AutoCloseable claim(int port, String who) {
        EthernetDevice device = devices.stream().filter(one -> one.port() == port).findFirst()
                .orElseThrow(() -> new Refusal(Errno.ENODEV, away.containsKey(port)
                        ? "port " + port + " of " + address + " has no network device for now; ask again."
                        : address + " has no port " + port + "; its ports are 1 to " + count() + "."));
        AutoCloseable claim = device.control().claim(who);
        return () -> {
            claim.close();
            // what a plan wants of the port had to wait
            context.services().nameIsFree();
        };
    }
}
