package io.manafold.pmd.internal.device;

import io.manafold.api.agent.TurnHost;
import io.manafold.api.device.Removal;
import io.manafold.api.ethdev.CoreRun;
import io.manafold.api.ethdev.CoreWork;
import io.manafold.api.ethdev.Environment;
import io.manafold.api.ethdev.EthDev;
import io.manafold.api.ethdev.EthDevEvent;
import io.manafold.api.ethdev.EthDevInfo;
import io.manafold.api.ethdev.EthDevListener;
import io.manafold.api.ethdev.ProbedPort;
import io.manafold.api.memory.MemorySource;
import io.manafold.api.net.MacAddress;
import io.manafold.api.net.SyntheticDevice;
import io.manafold.api.rdma.RdmaDevice;
import io.manafold.api.refusal.Errno;
import io.manafold.api.refusal.Refusal;
import io.manafold.memory.PacketPlan;
import io.manafold.memory.PacketPools;
import io.manafold.pmd.internal.process.PrimaryLock;
import io.manafold.pmd.internal.process.PrimaryProcess;
import io.manafold.pmd.internal.process.PrimarySocket;
import io.manafold.pmd.internal.queue.WarmUp;
import io.manafold.pmd.internal.telemetry.Answers;
import io.manafold.pmd.internal.telemetry.RuntimeFolder;
import io.manafold.pmd.internal.telemetry.Telemetry;
import io.manafold.pmd.internal.words.DeviceArgument;
import io.manafold.pmd.internal.words.EalOptions;
import io.manafold.pmd.internal.words.LogLevels;
import io.manafold.pmd.internal.words.SyntheticArgument;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.osgi.annotation.bundle.Capability;
import org.osgi.annotation.bundle.Requirement;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An environment that runs: its ports, as services, and its cores. */
@Capability(namespace = "osgi.service", uses = EthDev.class,
        attribute = "objectClass:List<String>='io.manafold.api.ethdev.EthDev'")
@Requirement(namespace = "osgi.service", effective = "active",
        filter = "(objectClass=io.manafold.api.rdma.RdmaDevice)")
final class PmdEnvironment implements Environment, PrimaryProcess {
    private static final Logger LOG = LoggerFactory.getLogger(PmdEnvironment.class);

    /** Bytes of the largest part of memory that a device knows: the same of each of this kind, and not asked of it. */
    private static final String LARGEST_REGION = "18446744073709551615";
    /** How long an application may take to hear that its ports have gone with their driver. */
    private static final Duration HEARING = Duration.ofSeconds(2);

    private final BundleContext context;
    private final EalOptions options;
    private final EnvironmentBook book;
    private final Directory directory;
    private final Duration patience;
    private final WarmUp warmUp;
    private final LinkWatch links;
    private final Journal journal;
    private final List<String> notes;
    private volatile Telemetry telemetry;
    private volatile PrimarySocket secondaries;
    /** That it is the only one of its name; {@code null} if it needs not be, or has no place to say so. */
    private volatile PrimaryLock lock;
    /** Secondaries of this platform, which are told of ports that its application closes. */
    private final List<Consumer<PollDevice>> neighbours = new CopyOnWriteArrayList<>();
    private final List<EventLine> lines = new CopyOnWriteArrayList<>();
    private final Map<PollDevice, ServiceRegistration<EthDev>> ports = new TreeMap<>((one,
            other) -> Integer.compare(one.number(), other.number()));
    /** Ports over pairs. */
    private final Map<PairedDevice, ServiceRegistration<EthDev>> paired = new TreeMap<>((one,
            other) -> Integer.compare(one.number(), other.number()));
    /** The same for threads without the lock. */
    private volatile List<PairedDevice> pairedNow = List.of();
    private final PairWatch pairs;
    private final List<ProbedPort> probed = new ArrayList<>();
    /** Names of ports that were removed, which are probed again when their devices come back. */
    private final Set<String> removed = new HashSet<>();
    private final Set<DeviceArgument> attached = new LinkedHashSet<>();
    private final Cores cores;
    private int nextNumber;
    private boolean closed;

    /**
     * @param warmUp what ports do before they go up, {@code null} for nothing
     * @param patience how long a port waits for its device to come back from a reset
     */
    PmdEnvironment(BundleContext context, EalOptions options, EnvironmentBook book, Directory directory, WarmUp warmUp,
            Duration patience) {
        this.context = context;
        this.options = options;
        this.book = book;
        this.directory = directory;
        this.patience = patience;
        this.warmUp = warmUp;
        links = new LinkWatch(this);
        pairs = new PairWatch(options.prefix(), this::overPairs);
        cores = new Cores(options, directory);
        journal = new Journal(options.levels());
        notes = new CopyOnWriteArrayList<>(options.notes());
    }

    @Override
    public void logLevel(String types, int level) {
        journal.level(types, level);
    }

    /** Of the levels that it has at the moment. */
    Journal journal() {
        return journal;
    }

    WarmUp warmUp() {
        return warmUp;
    }

    /** Its name is others' again when it has ended. */
    void hold(PrimaryLock held) {
        lock = held;
    }

    /** From now on it looks after its links. */
    void begin(PacketPools pools, MemorySource memory) {
        links.start();
        listenForSecondaries(pools, memory);
        if (options.telemetry() && !options.alone()) {
            try {
                Path folder = RuntimeFolder.of(RuntimeFolder.root(), prefix());
                telemetry = new Telemetry(folder.resolve("dpdk_telemetry.v2"), prefix(), new Answers(this));
                notes.add("Telemetry is at " + telemetry.path() + ".");
            } catch (IOException | Refusal refused) {
                notes.add("There is no telemetry: " + refused.getMessage());
            }
        }
    }

    private void listenForSecondaries(PacketPools pools, MemorySource memory) {
        if (options.alone()) {
            return;
        }
        try {
            Path folder = RuntimeFolder.of(RuntimeFolder.root(), prefix());
            secondaries = new PrimarySocket(folder.resolve(PrimarySocket.NAME), this, pools, memory);
            if (lock == null && !options.dryRun()) {
                journal.init(LogLevels.NOTICE, "None is kept from being another primary called " + prefix()
                        + ": there was no place for the lock.");
            }
        } catch (IOException | Refusal refused) {
            // something else has the name of the socket; what is here works all the same
            journal.init(LogLevels.NOTICE, "No other process can attach to " + prefix() + (lock == null
                    ? ", nor is one kept from being another primary of that name: " : ": ") + refused.getMessage());
        }
    }

    EalOptions options() {
        return options;
    }

    // ---- ports

    /** Tells of ports that were looked at. */
    synchronized void report(List<ProbedPort> seen) {
        probed.addAll(seen);
        seen.forEach(port -> journal.init(LogLevels.DEBUG, "Port " + port.port() + " of " + port.address() + " ("
                + port.mac() + ") is " + (port.isTaken() ? port.name() : port.why().isEmpty() ? "free to be taken"
                : "not taken: " + port.why())));
    }

    /** Tells of ports that could be had, if it were not for their devices. */
    void complain(Probing probing) {
        for (String why : probing.leftOut()) {
            journal.init(LogLevels.ERROR, why);
            if (!notes.contains(why)) {
                notes.add(why);
            }
        }
    }

    /** Has the ports that were found. */
    void take(Probing probing) {
        take(probing, false);
    }

    /**
     * Has the ports that were found.
     *
     * @param lowest whether they get the lowest numbers that are free, rather than ones that no port has had yet
     */
    List<EthDev> take(Probing probing, boolean lowest) {
        List<EthDev> taken = new ArrayList<>();
        Set<RdmaDevice> devices = new LinkedHashSet<>();
        for (Iterator<Probing.Found> left = probing.found().iterator(); left.hasNext();) {
            Probing.Found found = left.next();
            PollDevice port;
            synchronized (this) {
                if (closed) {
                    return taken;
                }
                // a port that another one owns comes back again and again
                boolean reuses = lowest || !owner(found.facts().mac()).isEmpty();
                port = new PollDevice(this, directory, found.facts(), found.domain(), reuses ? free() : nextNumber);
                nextNumber = Math.max(nextNumber, port.number() + 1);
                ports.put(port, register(port));
                removed.remove(port.name());
                left.remove();
            }
            taken.add(port);
            devices.add(found.domain().device());
            EthDevInfo info = port.info();
            journal.driver(LogLevels.INFO, port.name() + " has " + info.maxQueues() + " queues at most, of "
                    + info.minDescriptors() + " to " + info.maxDescriptors() + " descriptors, sends packets of "
                    + info.maxPieces() + " pieces, and registers memory of " + LARGEST_REGION + " bytes at most.");
            tell(new EthDevEvent(EthDevEvent.Kind.NEW, port.number(), "Port " + port.number() + " is " + port.name()
                    + "."));
        }
        // a device that has gone while it was probed had no port yet to tell
        devices.stream().filter(device -> !directory.has(device)).forEach(this::lose);
        pairs.wake();
        return taken;
    }

    /** Has the ports over pairs that were found, by the lowest numbers that are free. */
    List<EthDev> take(SyntheticProbing probing) {
        List<EthDev> taken = new ArrayList<>();
        for (PairedFacts found : probing.found()) {
            PairedDevice port;
            synchronized (this) {
                if (closed) {
                    return taken;
                }
                port = new PairedDevice(this, found, free());
                nextNumber = Math.max(nextNumber, port.number() + 1);
                removed.remove(port.name());
                paired.put(port, register(port));
                pairedNow = List.copyOf(paired.keySet());
            }
            pairs.begin();
            taken.add(port);
            tell(new EthDevEvent(EthDevEvent.Kind.NEW, port.number(), "Port " + port.number() + " is " + port.name()
                    + ", over the pair " + found.device().name() + "."));
        }
        return taken;
    }

    private int free() {
        int number = 0;
        while (isUsed(number)) {
            number++;
        }
        return number;
    }

    private boolean isUsed(int number) {
        return ports.keySet().stream().anyMatch(port -> port.number() == number)
                || paired.keySet().stream().anyMatch(port -> port.number() == number);
    }

    private List<PairedDevice> overPairs() {
        return pairedNow;
    }

    /** The port that has those of an address below it, or {@code null}. */
    private PairedDevice above(MacAddress mac) {
        return pairedNow.stream().filter(port -> port.mac().equals(mac)).findFirst().orElse(null);
    }

    /** Name of the port that has those of an address below it, empty if none has. */
    String owner(MacAddress mac) {
        PairedDevice above = above(mac);
        return above == null ? "" : above.name();
    }

    /** The port of a function that has an address, or {@code null}. */
    synchronized PollDevice function(MacAddress mac) {
        return ports.keySet().stream().filter(port -> port.facts().mac().equals(mac)).findFirst().orElse(null);
    }

    /** Something about a port over a pair, for the log. */
    void note(int level, PortSentences say, String rest) {
        journal.pairs(level, say.sentence(rest));
    }

    @Override
    public List<EthDev> attach(String device) {
        checkOpen();
        if (SyntheticArgument.isMeant(device)) {
            return book.attach(this, SyntheticArgument.parse("port attach", device));
        }
        DeviceArgument argument = DeviceArgument.attached(device);
        List<EthDev> taken = book.attach(this, argument);
        synchronized (this) {
            // what was named once is looked for again when its device comes back
            attached.add(argument);
        }
        return taken;
    }

    synchronized void checkOpen() {
        if (closed) {
            throw new Refusal(Errno.ENODEV, "The environment " + prefix() + " has ended; start another one.");
        }
    }

    /** What was attached after the start, of a function. */
    synchronized List<DeviceArgument> attached(String address) {
        return attached.stream().filter(argument -> argument.address().toString().equals(address)).toList();
    }

    private ServiceRegistration<EthDev> register(PollDevice port) {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("name", port.name());
        properties.put("address", port.facts().address());
        properties.put("port", port.facts().port());
        properties.put("mac", port.facts().mac().toString());
        properties.put("environment", options.prefix());
        return context.registerService(EthDev.class, port, properties);
    }

    private ServiceRegistration<EthDev> register(PairedDevice port) {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("name", port.name());
        properties.put("address", port.info().address());
        properties.put("port", 1);
        properties.put("mac", port.mac().toString());
        properties.put("environment", options.prefix());
        return context.registerService(EthDev.class, port, properties);
    }

    synchronized boolean has(String name) {
        return ports.keySet().stream().anyMatch(port -> port.name().equals(name))
                || paired.keySet().stream().anyMatch(port -> port.name().equals(name));
    }

    /** Has a secondary of this platform told of ports that are closed. Returns what ends that. */
    Runnable onClose(Consumer<PollDevice> told) {
        neighbours.add(told);
        return () -> neighbours.remove(told);
    }

    /** The application has closed a port over a pair. */
    void closed(PairedDevice port) {
        unregister(forgotten(port));
    }

    private synchronized ServiceRegistration<EthDev> forgotten(PairedDevice port) {
        ServiceRegistration<EthDev> registration = paired.remove(port);
        pairedNow = List.copyOf(paired.keySet());
        return registration;
    }

    /** What a closed port could not give back is given back when its device has gone, if there is anyone to tell. */
    void whenGone(RdmaDevice device, Runnable then) {
        if (book != null) {
            book.whenGone(device, then);
        }
    }

    /** The application has closed a port. */
    void closed(PollDevice port) {
        forget(port, true);
        neighbours.forEach(told -> told.accept(port));
    }

    /** @param isTold whether other processes are told that it has been closed, as no event says that it has gone */
    private void forget(PollDevice port, boolean isTold) {
        ServiceRegistration<EthDev> registration;
        synchronized (this) {
            registration = ports.remove(port);
        }
        PrimarySocket others = secondaries;
        if (isTold && registration != null && others != null) {
            others.gone(port.number(), port.name());
        }
        unregister(registration);
    }

    private static void unregister(ServiceRegistration<EthDev> registration) {
        if (registration != null) {
            try {
                registration.unregister();
            } catch (IllegalStateException gone) {
                // the framework was faster
            }
        }
    }

    /** A device has gone: its ports are removed, or wait if its function is reset. */
    void lose(RdmaDevice gone) {
        for (PollDevice port : all()) {
            if (!port.life().departs(gone)) {
                continue;
            }
            if (gone.departure() == Removal.DEVICE_GONE) {
                PairedDevice above = leave(port);
                tell(port.say().event(EthDevEvent.Kind.ERR_RECOVERING,
                        "waits for its device, which is being reset; its bursts are empty meanwhile."));
                quietly(port, port.life()::suspend);
                left(above, port, false);
                Recovery.begin(this, directory, port, patience);
            } else {
                remove(port);
            }
        }
    }

    /** The network device of a port has gone: a port that waits for its device waits no longer. */
    void lose(String address, int number) {
        for (PollDevice port : all()) {
            if (port.is(PortState.RECOVERING) && port.facts().address().equals(address) && port.facts()
                    .port() == number) {
                remove(port);
            }
        }
    }

    /** Packets of the paired port above it take another way. */
    private PairedDevice leave(PollDevice port) {
        PairedDevice above = above(port.facts().mac());
        if (above != null) {
            above.life().leave(port);
        }
        return above;
    }

    private void left(PairedDevice above, PollDevice port, boolean forGood) {
        if (above != null) {
            above.life().left(port, forGood);
            pairs.wake();
        }
    }

    private void remove(PollDevice port) {
        PairedDevice above = leave(port);
        // one whose function does not stop as it should goes all the same
        boolean[] isNew = {true};
        boolean isClean = quietly(port, () -> isNew[0] = port.life().remove());
        if (!isNew[0]) {
            left(above, port, false);
            return;
        }
        directory.wake();
        synchronized (this) {
            removed.add(port.name());
        }
        forget(port, above != null);
        left(above, port, true);
        tell(port.say().event(EthDevEvent.Kind.INTR_RMV, isClean
                ? "has been removed; all of its packets are back in their pools."
                : "has been removed, and is not stopped cleanly: packets that its function may still reach come home "
                + "when that is reset or removed."), above == null);
    }

    /** A port over a pair gives up its virtual function, which does not come back from a reset. */
    void giveUp(PollDevice port) {
        PairedDevice above = leave(port);
        quietly(port, port.life()::close);
        // what it could not give back comes home when its device has gone
        RdmaDevice holder = port.life().holder();
        if (holder != null) {
            whenGone(holder, port.life()::letGo);
        }
        synchronized (this) {
            removed.add(port.name());
        }
        forget(port, true);
        left(above, port, true);
    }

    /** A pair is going: so does the port over it. */
    void lose(SyntheticDevice gone) {
        for (PairedDevice port : overPairs()) {
            if (port.facts().device() != gone) {
                continue;
            }
            // a virtual function that does not stop as it should does not keep the port here either
            boolean[] isNew = {true};
            boolean isClean = quietly(port, () -> isNew[0] = port.life().end(PortState.REMOVED));
            if (!isNew[0]) {
                continue;
            }
            synchronized (this) {
                removed.add(port.name());
            }
            unregister(forgotten(port));
            tell(port.say().event(EthDevEvent.Kind.INTR_RMV, isClean
                    ? "has been removed; all of its packets are back in their pools."
                    : "has been removed, and its virtual function is not stopped cleanly: packets that this may still "
                    + "reach come home when it is reset or removed."));
        }
    }

    /** Returns whether nothing went wrong. */
    private static boolean quietly(EthDev port, Runnable step) {
        try {
            step.run();
            return true;
        } catch (RuntimeException wrong) {
            LOG.warn("{} is not stopped cleanly", port.name(), wrong);
            return false;
        }
    }

    private synchronized List<PollDevice> all() {
        return List.copyOf(ports.keySet());
    }

    /** Whether it had a port of that name, which was removed. */
    synchronized boolean misses(String name) {
        return !closed && removed.contains(name);
    }

    @Override
    public synchronized List<EthDev> ports() {
        List<EthDev> all = new ArrayList<>(ports.keySet());
        all.addAll(paired.keySet());
        all.sort(Comparator.comparingInt(EthDev::number));
        return List.copyOf(all);
    }

    @Override
    public synchronized List<ProbedPort> probed() {
        return List.copyOf(probed);
    }

    // ---- secondaries

    @Override
    public Pair lend(int number, int queue, String who) {
        PollDevice lending = all().stream().filter(port -> port.number() == number).findFirst().orElseThrow(() ->
                new Refusal(Errno.ENODEV, "The environment " + prefix() + " has no port " + number + " any more."));
        Pair pair = lending.lend(queue);
        journal.driver(LogLevels.INFO, "Queue " + queue + " of " + lending.name() + " is polled by " + who + ".");
        return pair;
    }

    @Override
    public int room() {
        return all().stream().mapToInt(port -> port.life().room()).filter(room -> room > 0).max()
                .orElse(PacketPlan.DEFAULT_ROOM);
    }

    // ---- words

    @Override
    public String prefix() {
        return options.prefix();
    }

    @Override
    public int consumed() {
        return options.consumed();
    }

    @Override
    public List<Integer> cores() {
        return List.copyOf(options.cores().keySet());
    }

    @Override
    public Set<Integer> processors(int core) {
        return cores.processors(core);
    }

    @Override
    public int mainCore() {
        return options.mainCore();
    }

    @Override
    public boolean checks() {
        return options.check();
    }

    @Override
    public List<String> notes() {
        return List.copyOf(notes);
    }

    // ---- cores

    @Override
    public CoreRun launch(int core, CoreWork work) {
        return cores.launch(core, work, all());
    }

    /** A turn host is going. */
    void lose(TurnHost host) {
        cores.lose(host);
    }

    // ---- events

    @Override
    public AutoCloseable listen(EthDevListener listener) {
        EventLine[] line = new EventLine[1];
        line[0] = new EventLine("pmd-events-" + prefix(), listener, () -> lines.remove(line[0]));
        lines.add(line[0]);
        return line[0];
    }

    /** What happens to a port that is another's is that one's to see to, and not told to the application. */
    void tell(EthDevEvent event) {
        boolean isOthers = all().stream().anyMatch(port -> port.number() == event.port() && !port.owner().isEmpty());
        tell(event, !isOthers);
        pairs.wake();
    }

    /**
     * A queue of a port moves nothing any more: a port over a pair sees to its virtual function itself. This is said
     * within a burst, so no lock is taken here that is held while other bundles are called.
     */
    void failed(PollDevice port, EthDevEvent event) {
        PairedDevice above = above(port.facts().mac());
        if (above == null) {
            tell(event, true);
        } else {
            above.life().failed(port, event.text());
            pairs.wake();
        }
    }

    private void tell(EthDevEvent event, boolean toApplication) {
        journal.event(event);
        if (toApplication) {
            lines.forEach(line -> line.tell(event));
        }
    }

    // ---- the end

    /** Ends it with the driver: its application is told that its ports have gone. */
    void endWithDriver() {
        List<EthDev> all = ports().stream().filter(port -> port.owner().isEmpty()).toList();
        end(() -> {
            all.forEach(port -> tell(new PortSentences(port.number(), port.name()).event(EthDevEvent.Kind.INTR_RMV,
                    "has been removed with its driver."), true));
            lines.forEach(line -> line.finish(HEARING));
        });
    }

    @Override
    public void close() {
        end(() -> lines.forEach(EventLine::close));
    }

    /** @param silence ends its events, when its ports are closed */
    private void end(Runnable silence) {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        cores.end();
        links.close();
        pairs.close();
        if (secondaries != null) {
            secondaries.close();
        }
        if (telemetry != null) {
            telemetry.close();
        }
        List<RuntimeException> failures = new ArrayList<>();
        overPairs().forEach(port -> close(port, failures));
        ports().forEach(port -> close(port, failures));
        silence.run();
        if (lock != null) {
            lock.close();
        }
        book.forget(this);
        if (!failures.isEmpty()) {
            // a refusal says one thing: the others stand in the log
            failures.stream().skip(1).forEach(other -> LOG.warn("{} is not ended cleanly", prefix(), other));
            throw failures.getFirst();
        }
    }

    /** A port that does not close keeps no other open. */
    private static void close(EthDev port, List<RuntimeException> failures) {
        try {
            port.close();
        } catch (RuntimeException wrong) {
            failures.add(wrong);
        }
    }
}
